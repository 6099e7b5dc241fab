-- The tool calls of a round, whole.
SELECT * FROM tool_calls
WHERE service_name = $service AND session_id = $session_id AND round = $round AND agent_name = $agent
ORDER BY position
