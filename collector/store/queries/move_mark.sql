UPDATE journal_mark SET segment = ?, "offset" = ?
