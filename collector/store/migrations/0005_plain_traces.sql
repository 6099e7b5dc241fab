-- Traces in which nothing was recognised as an agent's: stored, and in no session.
CREATE VIEW plain_traces AS
SELECT u.unit AS trace_id, u.service_name, min(s.start_time) AS started_at, max(s.end_time) AS ended_at,
       count(*) AS spans, arg_min(s.name, (s.parent_span_id <> '', s.start_time)) AS root_name,
       list(DISTINCT s.scope_name ORDER BY s.scope_name) AS scopes
FROM units u JOIN spans s ON s.trace_id = u.unit
WHERE NOT u.holds_agent
GROUP BY ALL;
