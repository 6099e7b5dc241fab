-- The traces of `batch` are to be derived (again).
INSERT INTO pending_units
SELECT trace_id, min(start_ns), max(greatest(start_ns, end_ns)), make_timestamp($now_us)
FROM batch GROUP BY trace_id
