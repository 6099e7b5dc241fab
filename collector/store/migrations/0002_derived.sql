-- What is computed from the raw tables, and can be computed again at any time.

-- A unit is what is derived together: a trace, or the trace-less logs of one session.
CREATE TABLE pending_units (unit VARCHAR NOT NULL, first_ns BIGINT NOT NULL, last_ns BIGINT NOT NULL, touched_at TIMESTAMP NOT NULL);

CREATE TABLE units (
    unit VARCHAR NOT NULL,
    service_name VARCHAR NOT NULL,
    start_ns BIGINT NOT NULL,
    named JSON NOT NULL,                  -- the sessions it names itself: [[id, source], …]
    holds_agent BOOLEAN NOT NULL,
    first_ns BIGINT NOT NULL,             -- between which times its records lie
    last_ns BIGINT NOT NULL
);

CREATE TABLE unit_sessions (
    unit VARCHAR NOT NULL,
    service_name VARCHAR NOT NULL,
    session_id VARCHAR NOT NULL,
    session_source VARCHAR NOT NULL
);

-- By which units without a session id are told to belong together: a request's history names the
-- responses that came before it.
CREATE TABLE stitch_keys (
    unit VARCHAR NOT NULL,
    key VARCHAR NOT NULL,
    role VARCHAR NOT NULL,                -- emitted, referred
    time_ns BIGINT NOT NULL
);

-- Units and sessions whose derivation or analysis failed or took too long; the rest goes on without them.
CREATE TABLE analysis_failures (unit VARCHAR NOT NULL, reason VARCHAR NOT NULL, failed_at TIMESTAMP NOT NULL);

CREATE TABLE sessions (
    session_id VARCHAR NOT NULL,
    session_source VARCHAR NOT NULL,
    started_at TIMESTAMP,
    ended_at TIMESTAMP,
    service_name VARCHAR NOT NULL,
    agent_name VARCHAR,
    model VARCHAR,
    dialect VARCHAR,
    rounds UINTEGER,
    tool_calls UINTEGER,
    distinct_calls UINTEGER,
    tool_errors UINTEGER,
    rescues UINTEGER,
    findings UINTEGER,
    max_severity VARCHAR,
    flagged BOOLEAN,
    kinds VARCHAR[],
    outcome VARCHAR,
    input_tokens UBIGINT,
    output_tokens UBIGINT,
    last_tool VARCHAR,
    final_text VARCHAR
);

CREATE TABLE rounds (
    service_name VARCHAR NOT NULL,
    session_id VARCHAR NOT NULL,
    round INTEGER NOT NULL,
    emitter_step INTEGER,
    agent_name VARCHAR NOT NULL,
    trace_id VARCHAR NOT NULL,
    span_id VARCHAR NOT NULL,
    started_at TIMESTAMP,
    ended_at TIMESTAMP,
    model VARCHAR,
    provider VARCHAR,
    server_address VARCHAR,
    finish_reason VARCHAR,
    text VARCHAR,
    reasoning VARCHAR,
    tool_calls UINTEGER,
    input_tokens UBIGINT,
    output_tokens UBIGINT,
    user_text VARCHAR,
    error VARCHAR
);

CREATE TABLE tool_calls (
    service_name VARCHAR NOT NULL,
    session_id VARCHAR NOT NULL,
    round INTEGER NOT NULL,
    position INTEGER NOT NULL,
    agent_name VARCHAR NOT NULL,
    trace_id VARCHAR NOT NULL,
    span_id VARCHAR NOT NULL,
    call_id VARCHAR,
    started_at TIMESTAMP,
    ended_at TIMESTAMP,
    tool VARCHAR,
    requested_tool VARCHAR,
    arguments JSON,
    fingerprint VARCHAR,
    result VARCHAR,
    is_error BOOLEAN,
    error VARCHAR,
    changed BOOLEAN,
    hash_before VARCHAR,
    hash_after VARCHAR,
    fields_modified VARCHAR[],
    source VARCHAR
);

CREATE TABLE tools (
    service_name VARCHAR NOT NULL,
    session_id VARCHAR NOT NULL,
    tool VARCHAR NOT NULL,
    description VARCHAR,
    input_schema JSON
);

CREATE TABLE rescues (
    session_id VARCHAR NOT NULL,
    round INTEGER,
    "at" TIMESTAMP,
    name VARCHAR NOT NULL,
    family VARCHAR NOT NULL,
    original VARCHAR,
    recovered VARCHAR,
    note VARCHAR,
    agent_name VARCHAR,
    model VARCHAR,
    service_name VARCHAR NOT NULL,
    trace_id VARCHAR,
    span_id VARCHAR
);

CREATE TABLE derived_findings (
    finding_id VARCHAR NOT NULL,
    session_id VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    subkind VARCHAR,
    severity VARCHAR NOT NULL,
    confidence DOUBLE,
    round INTEGER,
    last_round INTEGER,
    agent_name VARCHAR,
    model VARCHAR,
    service_name VARCHAR NOT NULL,
    trace_id VARCHAR,
    span_id VARCHAR,
    title VARCHAR NOT NULL,
    detail VARCHAR NOT NULL,
    evidence JSON,
    advice VARCHAR NOT NULL,
    wasted_calls UINTEGER,
    wasted_tokens UBIGINT,
    detected_at TIMESTAMP NOT NULL        -- when first seen; kept across recomputation
);

-- A person's word on a finding; it outlives recomputation.
CREATE TABLE verdicts (finding_id VARCHAR NOT NULL, verdict VARCHAR NOT NULL, given_at TIMESTAMP NOT NULL);

CREATE VIEW findings AS
SELECT f.*, v.verdict FROM derived_findings f LEFT JOIN verdicts v USING (finding_id);

CREATE TABLE alerts (
    rule VARCHAR NOT NULL,
    state VARCHAR NOT NULL,               -- firing, resolved
    value DOUBLE,
    baseline DOUBLE,
    threshold DOUBLE,
    "window" VARCHAR,
    started_at TIMESTAMP NOT NULL,
    ended_at TIMESTAMP,
    notified TIMESTAMP
);
