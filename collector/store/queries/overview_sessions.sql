-- Sessions, flagged sessions and rounds that began in each bucket of time, empty buckets included.
WITH own AS (
    SELECT date_trunc($bucket, started_at) AS bucket, count(*) AS sessions,
           count(*) FILTER (flagged) AS flagged, sum(rounds)::BIGINT AS rounds,
           sum(tool_calls)::BIGINT AS tool_calls, sum(findings)::BIGINT AS findings, sum(rescues)::BIGINT AS rescues
    FROM sessions
    WHERE started_at >= $since AND started_at < $until
    GROUP BY ALL
), buckets AS (
    SELECT unnest(generate_series(date_trunc($bucket, $since::TIMESTAMP), $until::TIMESTAMP,
                                  ('1 ' || $bucket)::INTERVAL)) AS bucket
)
SELECT bucket, coalesce(sessions, 0) AS sessions, coalesce(flagged, 0) AS flagged,
       coalesce(rounds, 0) AS rounds, coalesce(tool_calls, 0) AS tool_calls,
       coalesce(findings, 0) AS findings, coalesce(rescues, 0) AS rescues
FROM buckets LEFT JOIN own USING (bucket)
ORDER BY bucket
