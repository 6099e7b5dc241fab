-- Everything is to be derived again.
INSERT INTO pending_units
SELECT unit, min(first_ns), max(last_ns), now()::TIMESTAMP
FROM (
    SELECT trace_id AS unit, min(start_ns) AS first_ns, max(greatest(start_ns, end_ns)) AS last_ns
    FROM raw_spans GROUP BY 1
    UNION ALL
    SELECT unit, min(time_ns), max(time_ns) FROM raw_logs WHERE unit <> '' GROUP BY 1
)
GROUP BY unit
