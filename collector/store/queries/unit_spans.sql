-- The spans of the units in `wanted`; the time bounds let whole row groups be passed over.
SELECT trace_id, span_id, parent_span_id, name, kind, start_ns, end_ns, status_code, status_message,
       service_name, resource, scope_name, scope_version, attributes, events
FROM raw_spans
WHERE start_ns BETWEEN $first_ns AND $last_ns AND trace_id IN (SELECT unit FROM wanted)
