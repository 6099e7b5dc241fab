INSERT INTO pending_units
SELECT unit, min(time_ns), max(time_ns), make_timestamp($now_us)
FROM batch WHERE unit <> '' GROUP BY unit
