-- A round whole: one row for each agent that has a round of this number.
SELECT * FROM rounds
WHERE service_name = $service AND session_id = $session_id AND round = $round
  AND ($agent IS NULL OR agent_name = $agent)
ORDER BY agent_name
