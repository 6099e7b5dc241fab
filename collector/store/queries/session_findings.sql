-- The findings of a session.
SELECT * FROM findings
WHERE service_name = $service AND session_id = $session_id
ORDER BY round NULLS LAST, kind, finding_id
