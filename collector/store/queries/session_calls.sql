-- The tool calls of a page of a session's rounds (`session_rounds.sql`), long texts cut.
WITH page AS (
    SELECT round, agent_name,
           row_number() OVER (ORDER BY started_at NULLS LAST, round, agent_name) - 1 AS index
    FROM rounds
    WHERE service_name = $service AND session_id = $session_id
    QUALIFY index >= $rounds_from AND index < $rounds_from + $rounds_limit
)
SELECT page.index, c.round, c.position, c.agent_name, c.trace_id, c.span_id, c.call_id, c.started_at, c.ended_at,
       c.tool, c.requested_tool, c.fingerprint, c.is_error, c.changed, c.hash_before, c.hash_after,
       c.fields_modified, c.source,
       left(c.arguments, 400) AS arguments, length(c.arguments) AS arguments_length,
       left(c.result, 400) AS result, length(c.result) AS result_length,
       left(c.error, 400) AS error, length(c.error) AS error_length
FROM tool_calls c JOIN page USING (round, agent_name)
WHERE c.service_name = $service AND c.session_id = $session_id
ORDER BY page.index, c.position
