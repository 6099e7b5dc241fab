-- Rescues by name in each bucket of time in which there was one.
SELECT date_trunc($bucket, coalesce(r."at", s.started_at)) AS bucket, r.name, r.family, count(*) AS count,
       count(DISTINCT (r.service_name, r.session_id)) AS sessions
FROM rescues r LEFT JOIN sessions s USING (service_name, session_id)
WHERE coalesce(r."at", s.started_at) >= $since AND coalesce(r."at", s.started_at) < $until
GROUP BY ALL
ORDER BY bucket, r.name
