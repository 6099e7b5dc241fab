-- The sessions of an id: one for each service that has it.
SELECT * FROM sessions
WHERE session_id = $session_id AND ($service IS NULL OR service_name = $service)
ORDER BY service_name
