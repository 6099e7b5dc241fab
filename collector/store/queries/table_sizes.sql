-- Rows of each table as a user knows it.
SELECT 'spans' AS "table", count(*) AS rows FROM raw_spans
UNION ALL SELECT 'log_records', count(*) FROM raw_logs
UNION ALL SELECT 'metric_points', count(*) FROM raw_metrics
UNION ALL SELECT 'sessions', count(*) FROM sessions
UNION ALL SELECT 'rounds', count(*) FROM rounds
UNION ALL SELECT 'tool_calls', count(*) FROM tool_calls
UNION ALL SELECT 'tools', count(*) FROM tools
UNION ALL SELECT 'rescues', count(*) FROM rescues
UNION ALL SELECT 'findings', count(*) FROM derived_findings
UNION ALL SELECT 'alerts', count(*) FROM alerts
