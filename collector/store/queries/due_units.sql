-- Units to derive: quiet since `settled`, or waiting since `overdue` because they never fall quiet.
SELECT unit, min(first_ns) AS first_ns, max(last_ns) AS last_ns, max(touched_at) AS touched_at
FROM pending_units
GROUP BY unit
HAVING max(touched_at) <= make_timestamp($settled_us) OR min(touched_at) <= make_timestamp($overdue_us)
ORDER BY max(touched_at)
LIMIT $most
