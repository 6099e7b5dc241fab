INSERT INTO raw_logs
SELECT md5_number(concat_ws(chr(31), trace_id, span_id, time_ns, event_name, severity_number,
                            body, attributes, resource, scope_name)),
       unit, trace_id, span_id, make_timestamp(time_ns // 1000), make_timestamp(observed_ns // 1000), time_ns,
       event_name, severity_number, severity, body, service_name, resource, scope_name, scope_version,
       attributes, dropped_attributes, make_timestamp(received_ns // 1000)
FROM batch
