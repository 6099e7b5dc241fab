-- Findings by kind in each bucket of time in which a session had one, by the session's begin.
SELECT date_trunc($bucket, s.started_at) AS bucket, f.kind, count(*) AS count,
       count(DISTINCT (s.service_name, s.session_id)) AS sessions
FROM derived_findings f JOIN sessions s USING (service_name, session_id)
WHERE s.started_at >= $since AND s.started_at < $until
GROUP BY ALL
ORDER BY bucket, f.kind
