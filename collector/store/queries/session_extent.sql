-- From when to when the traces of a session last, so that its spans are looked for there alone.
SELECT make_timestamp_ns(min(first_ns)) AS since, make_timestamp_ns(max(last_ns)) AS until
FROM units SEMI JOIN (
    SELECT unit FROM unit_sessions WHERE service_name = $service AND session_id = $session_id
) USING (unit)
