-- A page of the rescues that match, newest first, with how many match in all. A rescue whose time is
-- unknown has that of its session.
WITH matching AS MATERIALIZED (
    SELECT r.* REPLACE (coalesce(r."at", s.started_at) AS "at")
    FROM rescues r LEFT JOIN sessions s USING (service_name, session_id)
    WHERE ($name IS NULL OR r.name = $name)
      AND ($family IS NULL OR r.family = $family)
      AND ($model IS NULL OR r.model = $model)
      AND ($agent IS NULL OR r.agent_name = $agent)
      AND ($service IS NULL OR r.service_name = $service)
      AND ($since::TIMESTAMP IS NULL OR coalesce(r."at", s.started_at) >= $since)
      AND ($until::TIMESTAMP IS NULL OR coalesce(r."at", s.started_at) < $until)
), page AS (
    SELECT * FROM matching
    ORDER BY "at" DESC NULLS LAST, service_name, session_id, round
    LIMIT $limit OFFSET $offset
)
SELECT counted.total, page.*
FROM (SELECT count(*) AS total FROM matching) counted LEFT JOIN page ON true
ORDER BY page."at" DESC NULLS LAST, page.service_name, page.session_id, page.round
