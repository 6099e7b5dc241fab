-- What a session's telemetry leaves out (messages, arguments, results), and what to set so that it comes.
ALTER TABLE sessions ADD COLUMN not_captured VARCHAR[] DEFAULT [];
ALTER TABLE sessions ADD COLUMN capture_switch VARCHAR DEFAULT '';
