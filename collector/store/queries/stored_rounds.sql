-- The rounds of a session, whole, in the order in which they happened.
SELECT * FROM rounds
WHERE service_name = $service AND session_id = $session_id
ORDER BY started_at NULLS LAST, round, agent_name
