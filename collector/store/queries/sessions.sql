-- A page of the sessions that match, with how many match in all (`total`; one row even when the page
-- is empty). A filter that is NULL does not filter. A session is within a time range when it overlaps it.
-- The subqueries say `$x IS NOT NULL` so that a filter that is not used reads no table.
WITH with_finding AS (
    SELECT DISTINCT service_name, session_id
    FROM derived_findings
    WHERE ($kind IS NOT NULL OR $subkind IS NOT NULL OR $severity IS NOT NULL)
      AND ($kind IS NULL OR kind = $kind)
      AND ($subkind IS NULL OR subkind = $subkind)
      AND ($severity IS NULL OR severity = $severity)
), with_tool AS (
    SELECT DISTINCT service_name, session_id
    FROM tool_calls
    WHERE $tool IS NOT NULL AND (tool = $tool OR requested_tool = $tool)
), with_rescue AS (
    SELECT DISTINCT service_name, session_id FROM rescues WHERE $rescue IS NOT NULL AND name = $rescue
), with_agent AS (
    SELECT DISTINCT service_name, session_id FROM rounds WHERE $agent IS NOT NULL AND agent_name = $agent
), with_text AS (
    -- A regular expression that ignores case reads text in two thirds of the time of lower() and contains().
    SELECT service_name, session_id FROM sessions
    WHERE $q IS NOT NULL
      AND (regexp_matches(session_id, regexp_escape($q), 'i') OR regexp_matches(final_text, regexp_escape($q), 'i'))
    UNION
    SELECT service_name, session_id FROM rounds
    WHERE $q IS NOT NULL
      AND ($since::TIMESTAMP IS NULL OR started_at >= $since)
      AND ($until::TIMESTAMP IS NULL OR started_at < $until)
      AND (regexp_matches(text, regexp_escape($q), 'i') OR regexp_matches(user_text, regexp_escape($q), 'i')
           OR regexp_matches(reasoning, regexp_escape($q), 'i'))
    UNION
    SELECT service_name, session_id FROM tool_calls
    WHERE $q IS NOT NULL
      AND ($since::TIMESTAMP IS NULL OR started_at >= $since)
      AND ($until::TIMESTAMP IS NULL OR started_at < $until)
      AND (regexp_matches(arguments, regexp_escape($q), 'i') OR regexp_matches(result, regexp_escape($q), 'i')
           OR regexp_matches(error, regexp_escape($q), 'i'))
), matching AS MATERIALIZED (
    SELECT service_name, session_id, started_at,
           CASE $order WHEN 'flagged' THEN flagged::BIGINT
                       WHEN 'rounds' THEN rounds
                       WHEN 'tool_calls' THEN tool_calls
                       WHEN 'findings' THEN findings
                       WHEN 'rescues' THEN rescues
                       ELSE 0 END AS rank
    FROM sessions
    WHERE ($service IS NULL OR service_name = $service)
      AND ($model IS NULL OR model = $model)
      AND ($flagged IS NULL OR flagged = $flagged)
      AND ($since::TIMESTAMP IS NULL OR coalesce(ended_at, started_at) >= $since)
      AND ($until::TIMESTAMP IS NULL OR started_at < $until)
      AND (($kind IS NULL AND $subkind IS NULL AND $severity IS NULL)
           OR (service_name, session_id) IN (FROM with_finding))
      AND ($tool IS NULL OR (service_name, session_id) IN (FROM with_tool))
      AND ($rescue IS NULL OR (service_name, session_id) IN (FROM with_rescue))
      AND ($agent IS NULL OR agent_name = $agent OR (service_name, session_id) IN (FROM with_agent))
      AND ($q IS NULL OR (service_name, session_id) IN (FROM with_text))
), page AS (
    SELECT * FROM matching
    ORDER BY rank DESC NULLS LAST, started_at DESC NULLS LAST, service_name, session_id
    LIMIT $limit OFFSET $offset
)
SELECT counted.total, s.* REPLACE (left(s.final_text, 400) AS final_text),
       length(s.final_text) AS final_text_length
FROM (SELECT count(*) AS total FROM matching) counted
LEFT JOIN (page JOIN sessions s USING (service_name, session_id)) ON true
ORDER BY page.rank DESC NULLS LAST, page.started_at DESC NULLS LAST, s.service_name, s.session_id
