INSERT INTO raw_metrics
SELECT md5_number(concat_ws(chr(31), name, type, temporality, start_ns, time_ns, value, count,
                            data, attributes, resource, scope_name)),
       name, type, unit, description, temporality, is_monotonic,
       make_timestamp(start_ns // 1000), make_timestamp(time_ns // 1000), value, count, data,
       service_name, resource, scope_name, scope_version, attributes, make_timestamp(received_ns // 1000)
FROM batch
