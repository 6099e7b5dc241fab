-- A page of a session's rounds in the order in which they happened, long texts cut. `index` counts
-- them over all agents of the session.
SELECT *
FROM (
    SELECT row_number() OVER (ORDER BY started_at NULLS LAST, round, agent_name) - 1 AS index,
           round, emitter_step, agent_name, trace_id, span_id, started_at, ended_at, model, provider,
           server_address, finish_reason, tool_calls, input_tokens, output_tokens,
           left(text, 400) AS text, length(text) AS text_length,
           left(reasoning, 400) AS reasoning, length(reasoning) AS reasoning_length,
           left(user_text, 400) AS user_text, length(user_text) AS user_text_length,
           left(error, 400) AS error, length(error) AS error_length
    FROM rounds
    WHERE service_name = $service AND session_id = $session_id
)
WHERE index >= $rounds_from AND index < $rounds_from + $rounds_limit
ORDER BY index
