-- The log records of the units in `wanted`.
SELECT unit, trace_id, span_id, time_ns, event_name, body, severity_number, service_name, resource,
       scope_name, scope_version, attributes
FROM raw_logs
WHERE unit IN (SELECT unit FROM wanted)
