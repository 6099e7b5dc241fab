-- Which rows of `batch` are data points that the store does not have yet: their row numbers.
WITH keyed AS (
    SELECT "row", md5_number(concat_ws(chr(31), name, type, temporality, start_ns, time_ns, value, count,
                                       data, attributes, resource, scope_name)) AS point_key
    FROM batch
),
stored AS (SELECT point_key FROM raw_metrics SEMI JOIN keyed USING (point_key))
SELECT min("row") AS "row"
FROM keyed ANTI JOIN stored USING (point_key)
GROUP BY point_key
ORDER BY 1
