"""Whether work was verified: what an answer says of it, what was changed, what was run, what could be."""
