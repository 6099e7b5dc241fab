-- A page of the raw spans of a session's traces. `since` and `until` are those of session_extent.sql.
WITH matching AS MATERIALIZED (
    SELECT * FROM spans
    WHERE start_time BETWEEN $since AND $until
      AND trace_id IN (
          SELECT unit FROM unit_sessions WHERE service_name = $service AND session_id = $session_id
      )
), page AS (
    SELECT * FROM matching ORDER BY start_time, span_id LIMIT $limit OFFSET $offset
)
SELECT counted.total, page.*
FROM (SELECT count(*) AS total FROM matching) counted LEFT JOIN page ON true
ORDER BY page.start_time, page.span_id
