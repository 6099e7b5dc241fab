-- Sessions, findings and rescues by model, most used first.
SELECT model, count(*) AS sessions, count(*) FILTER (flagged) AS flagged, sum(rounds)::BIGINT AS rounds,
       sum(findings)::BIGINT AS findings, sum(rescues)::BIGINT AS rescues
FROM sessions
WHERE started_at >= $since AND started_at < $until AND model IS NOT NULL
GROUP BY model
ORDER BY sessions DESC, model
LIMIT 100
