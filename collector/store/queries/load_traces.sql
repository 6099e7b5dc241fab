INSERT INTO raw_spans
SELECT md5_number(trace_id || span_id), trace_id, span_id, parent_span_id, name, kind,
       make_timestamp(start_ns // 1000), make_timestamp(end_ns // 1000), start_ns, end_ns,
       status_code, status_message, service_name, resource, scope_name, scope_version,
       attributes, events, links, dropped_attributes, make_timestamp(received_ns // 1000)
FROM batch
