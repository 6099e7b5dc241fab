-- The tool calls of a session, whole, in order within their round.
SELECT * FROM tool_calls
WHERE service_name = $service AND session_id = $session_id
ORDER BY round, agent_name, position
