-- Contradicted claims that no judge has seen, those found first to begin with, and the calls before them.
WITH due AS (
    SELECT * FROM derived_findings
    WHERE kind = 'contradicted_claim' AND finding_id NOT IN (SELECT finding_id FROM second_opinions)
    ORDER BY detected_at, finding_id
    LIMIT $most
)
SELECT finding_id, evidence::VARCHAR AS evidence,
       (SELECT list({'round': c.round, 'tool': c.tool, 'arguments': left(c.arguments, 300),
                     'result': left(c.result, 300), 'failed': c.is_error} ORDER BY c.round, c.position)
        FROM tool_calls c
        WHERE c.service_name = due.service_name AND c.session_id = due.session_id
          AND c.agent_name = due.agent_name AND c.round BETWEEN due.round - $before AND due.round) AS calls
FROM due
