-- A page of the findings that match, newest session first, with how many match in all. Times, `tool`,
-- `rescue` and `flagged` are those of the session; `q` is looked for in what the finding says.
WITH with_tool AS (
    SELECT DISTINCT service_name, session_id
    FROM tool_calls
    WHERE $tool IS NOT NULL AND (tool = $tool OR requested_tool = $tool)
), with_rescue AS (
    SELECT DISTINCT service_name, session_id FROM rescues WHERE $rescue IS NOT NULL AND name = $rescue
), matching AS MATERIALIZED (
    SELECT f.finding_id, s.started_at
    FROM derived_findings f JOIN sessions s USING (service_name, session_id)
    WHERE ($kind IS NULL OR f.kind = $kind)
      AND ($subkind IS NULL OR f.subkind = $subkind)
      AND ($severity IS NULL OR f.severity = $severity)
      AND ($model IS NULL OR f.model = $model)
      AND ($agent IS NULL OR f.agent_name = $agent)
      AND ($service IS NULL OR f.service_name = $service)
      AND ($flagged IS NULL OR s.flagged = $flagged)
      AND ($since::TIMESTAMP IS NULL OR coalesce(s.ended_at, s.started_at) >= $since)
      AND ($until::TIMESTAMP IS NULL OR s.started_at < $until)
      AND ($tool IS NULL OR (f.service_name, f.session_id) IN (FROM with_tool))
      AND ($rescue IS NULL OR (f.service_name, f.session_id) IN (FROM with_rescue))
      AND ($q IS NULL OR contains(lower(concat_ws(' ', f.title, f.detail, f.evidence, f.session_id)), lower($q)))
), page AS (
    SELECT * FROM matching
    ORDER BY started_at DESC NULLS LAST, finding_id
    LIMIT $limit OFFSET $offset
)
SELECT counted.total, f.*, page.started_at
FROM (SELECT count(*) AS total FROM matching) counted
LEFT JOIN (page JOIN findings f USING (finding_id)) ON true
ORDER BY page.started_at DESC NULLS LAST, f.round, f.finding_id
