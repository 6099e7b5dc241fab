-- Which rows of `batch` are log records that the store does not have yet: their row numbers.
WITH keyed AS (
    SELECT "row", md5_number(concat_ws(chr(31), trace_id, span_id, time_ns, event_name, severity_number,
                                       body, attributes, resource, scope_name)) AS log_key
    FROM batch
),
stored AS (SELECT log_key FROM raw_logs SEMI JOIN keyed USING (log_key))
SELECT min("row") AS "row"
FROM keyed ANTI JOIN stored USING (log_key)
GROUP BY log_key
ORDER BY 1
