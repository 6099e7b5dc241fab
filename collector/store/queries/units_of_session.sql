-- The units of a session, with the times between which their records lie.
SELECT unit, first_ns, last_ns
FROM units SEMI JOIN (
    SELECT unit FROM unit_sessions WHERE service_name = $service AND session_id = $session_id
) USING (unit)
ORDER BY first_ns, unit
