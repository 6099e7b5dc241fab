-- The tools whose calls failed most often.
SELECT tool, count(*) AS calls, count(*) FILTER (is_error) AS errors,
       count(*) FILTER (is_error) / count(*) AS error_share
FROM tool_calls
WHERE started_at >= $since AND started_at < $until
GROUP BY tool
HAVING errors > 0
ORDER BY errors DESC, tool
LIMIT 20
