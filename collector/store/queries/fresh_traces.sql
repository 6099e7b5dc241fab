-- Which rows of `batch` are spans that the store does not have yet: their row numbers.
WITH keyed AS (SELECT "row", md5_number(trace_id || span_id) AS span_key FROM batch),
stored AS (SELECT span_key FROM raw_spans SEMI JOIN keyed USING (span_key))
SELECT min("row") AS "row"
FROM keyed ANTI JOIN stored USING (span_key)
GROUP BY span_key
ORDER BY 1
