-- The sessions of the units in `wanted`, and all units of those sessions.
SELECT DISTINCT o.unit, o.service_name, o.session_id, o.session_source
FROM unit_sessions w JOIN unit_sessions o USING (service_name, session_id)
WHERE w.unit IN (SELECT unit FROM wanted)
