-- A page of the traces in which nothing was recognised as an agent's, newest first.
WITH matching AS MATERIALIZED (
    SELECT unit, start_ns FROM units
    WHERE NOT holds_agent AND ($service IS NULL OR service_name = $service)
), wanted AS (
    SELECT unit FROM matching ORDER BY start_ns DESC, unit LIMIT $limit OFFSET $offset
), page AS (
    SELECT * FROM plain_traces WHERE trace_id IN (SELECT unit FROM wanted)
)
SELECT counted.total, page.*
FROM (SELECT count(*) AS total FROM matching) counted LEFT JOIN page ON true
ORDER BY page.started_at DESC, page.trace_id
