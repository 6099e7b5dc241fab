-- How many records each unit in `wanted` has.
SELECT unit, sum(records)::BIGINT AS records
FROM (
    SELECT trace_id AS unit, count(*) AS records FROM raw_spans
    WHERE start_ns BETWEEN $first_ns AND $last_ns AND trace_id IN (SELECT unit FROM wanted) GROUP BY 1
    UNION ALL
    SELECT unit, count(*) FROM raw_logs WHERE unit IN (SELECT unit FROM wanted) GROUP BY 1
)
GROUP BY unit
