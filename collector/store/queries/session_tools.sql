-- The tools that a session's model was offered.
SELECT tool, description, input_schema FROM tools
WHERE service_name = $service AND session_id = $session_id
ORDER BY tool
