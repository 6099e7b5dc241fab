-- What can be filtered by: the values of each facet that occur, at most 1,000 of each.
WITH entries AS (
    SELECT DISTINCT 'kinds' AS facet, kind AS value FROM derived_findings
    UNION ALL SELECT DISTINCT 'models', model FROM sessions
    UNION ALL SELECT DISTINCT 'agents', agent_name FROM rounds
    UNION ALL SELECT DISTINCT 'services', service_name FROM sessions
    UNION ALL SELECT DISTINCT 'tools', tool FROM tool_calls
    UNION ALL SELECT DISTINCT 'rescues', name FROM rescues
)
SELECT facet, list(value ORDER BY value)[:1000] AS values
FROM entries
WHERE value IS NOT NULL AND value <> ''
GROUP BY facet
