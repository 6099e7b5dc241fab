-- Rates by day, service, agent and model: a row for each group and each name or kind that the store
-- has anywhere, so that the sum of a group's rounds is the same for every name, and a group without
-- the event counts with zero.

CREATE VIEW rate_groups AS
SELECT r.started_at::DATE AS day, r.service_name, r.agent_name, coalesce(r.model, '') AS model,
       count(DISTINCT r.session_id) AS sessions, count(*) AS rounds
FROM rounds r
GROUP BY ALL;

CREATE VIEW rescue_rates AS
WITH counted AS (
    SELECT coalesce(r."at", s.started_at)::DATE AS day, r.service_name,
           coalesce(r.agent_name, '') AS agent_name, coalesce(r.model, '') AS model,
           r.name, count(DISTINCT r.session_id) AS affected_sessions, count(*) AS count
    FROM rescues r LEFT JOIN sessions s USING (service_name, session_id)
    GROUP BY ALL
), names AS (SELECT DISTINCT name FROM rescues)
SELECT coalesce(g.day, c.day) AS day, coalesce(g.service_name, c.service_name) AS service_name,
       coalesce(g.agent_name, c.agent_name) AS agent_name, coalesce(g.model, c.model) AS model,
       coalesce(g.name, c.name) AS name, coalesce(g.sessions, 0) AS sessions,
       coalesce(g.rounds, 0) AS rounds, coalesce(c.affected_sessions, 0) AS affected_sessions,
       coalesce(c.count, 0) AS count, 100.0 * coalesce(c.count, 0) / nullif(g.rounds, 0) AS per_100_rounds
FROM (SELECT * FROM rate_groups CROSS JOIN names) g
FULL JOIN counted c
  ON c.day = g.day AND c.service_name = g.service_name AND c.agent_name = g.agent_name
 AND c.model = g.model AND c.name = g.name;

CREATE VIEW finding_rates AS
WITH counted AS (
    SELECT s.started_at::DATE AS day, f.service_name, coalesce(f.agent_name, '') AS agent_name,
           coalesce(f.model, '') AS model, f.kind,
           count(DISTINCT f.session_id) AS affected_sessions, count(*) AS count
    FROM derived_findings f JOIN sessions s USING (service_name, session_id)
    GROUP BY ALL
), kinds AS (SELECT DISTINCT kind FROM derived_findings)
SELECT coalesce(g.day, c.day) AS day, coalesce(g.service_name, c.service_name) AS service_name,
       coalesce(g.agent_name, c.agent_name) AS agent_name, coalesce(g.model, c.model) AS model,
       coalesce(g.kind, c.kind) AS kind, coalesce(g.sessions, 0) AS sessions,
       coalesce(g.rounds, 0) AS rounds, coalesce(c.affected_sessions, 0) AS affected_sessions,
       coalesce(c.count, 0) AS count, 100.0 * coalesce(c.count, 0) / nullif(g.rounds, 0) AS per_100_rounds
FROM (SELECT * FROM rate_groups CROSS JOIN kinds) g
FULL JOIN counted c
  ON c.day = g.day AND c.service_name = g.service_name AND c.agent_name = g.agent_name
 AND c.model = g.model AND c.kind = g.kind;
