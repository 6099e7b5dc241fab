"""What a call took away: reads and writes of whole things, what was in them, what a user asked for."""
