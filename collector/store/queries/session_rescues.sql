-- The rescues of a session.
SELECT * FROM rescues
WHERE service_name = $service AND session_id = $session_id
ORDER BY "at" NULLS LAST, round, name
