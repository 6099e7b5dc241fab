-- Raw telemetry as it arrived. `spans`, `log_records` and `metric_points` are views, so that the
-- tables below them may change their form (sealed segments, another engine) without a user noticing.
-- JSON is kept as text and cast in the views: validating it again at load costs a fifth of the speed.

CREATE TABLE schema_migrations (version INTEGER, name VARCHAR, applied_at TIMESTAMP);

CREATE TABLE raw_spans (
    span_key UHUGEINT NOT NULL,           -- md5 of trace id and span id: one row for each span
    trace_id VARCHAR NOT NULL,
    span_id VARCHAR NOT NULL,
    parent_span_id VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    kind UTINYINT NOT NULL,
    start_time TIMESTAMP NOT NULL,
    end_time TIMESTAMP NOT NULL,
    start_ns BIGINT NOT NULL,
    end_ns BIGINT NOT NULL,
    status_code UTINYINT NOT NULL,
    status_message VARCHAR NOT NULL,
    service_name VARCHAR NOT NULL,
    resource VARCHAR NOT NULL,
    scope_name VARCHAR NOT NULL,
    scope_version VARCHAR NOT NULL,
    attributes VARCHAR NOT NULL,
    events VARCHAR NOT NULL,
    links VARCHAR NOT NULL,
    dropped_attributes UINTEGER NOT NULL,
    received_at TIMESTAMP NOT NULL
);

CREATE VIEW spans AS
SELECT trace_id, span_id, parent_span_id, name,
       CASE kind WHEN 1 THEN 'INTERNAL' WHEN 2 THEN 'SERVER' WHEN 3 THEN 'CLIENT'
                 WHEN 4 THEN 'PRODUCER' WHEN 5 THEN 'CONSUMER' ELSE 'UNSPECIFIED' END AS kind,
       start_time, end_time, (end_ns - start_ns) / 1e6 AS duration_ms,
       CASE status_code WHEN 1 THEN 'OK' WHEN 2 THEN 'ERROR' ELSE 'UNSET' END AS status_code,
       status_message, service_name, resource::JSON AS resource, scope_name, scope_version,
       attributes::JSON AS attributes, events::JSON AS events, links::JSON AS links,
       dropped_attributes, received_at
FROM raw_spans;

CREATE TABLE raw_logs (
    log_key UHUGEINT NOT NULL,            -- md5 over the whole record: a record sent twice is one row
    unit VARCHAR NOT NULL,                -- what it is derived with: its trace, or its session where it has no trace
    trace_id VARCHAR NOT NULL,
    span_id VARCHAR NOT NULL,
    time TIMESTAMP NOT NULL,
    observed_time TIMESTAMP,
    time_ns BIGINT NOT NULL,
    event_name VARCHAR NOT NULL,
    severity_number UTINYINT NOT NULL,
    severity VARCHAR NOT NULL,
    body VARCHAR NOT NULL,
    service_name VARCHAR NOT NULL,
    resource VARCHAR NOT NULL,
    scope_name VARCHAR NOT NULL,
    scope_version VARCHAR NOT NULL,
    attributes VARCHAR NOT NULL,
    dropped_attributes UINTEGER NOT NULL,
    received_at TIMESTAMP NOT NULL
);

CREATE VIEW log_records AS
SELECT time, observed_time, event_name, severity_number, severity, body::JSON AS body, trace_id, span_id,
       service_name, resource::JSON AS resource, scope_name, scope_version,
       attributes::JSON AS attributes, dropped_attributes, received_at
FROM raw_logs;

CREATE TABLE raw_metrics (
    point_key UHUGEINT NOT NULL,          -- md5 over series, time and value
    name VARCHAR NOT NULL,
    type VARCHAR NOT NULL,                -- gauge, sum, histogram, exponential_histogram, summary
    unit VARCHAR NOT NULL,
    description VARCHAR NOT NULL,
    temporality VARCHAR NOT NULL,         -- delta, cumulative or ''
    is_monotonic BOOLEAN,
    start_time TIMESTAMP,
    time TIMESTAMP NOT NULL,
    value DOUBLE,                         -- gauge and sum; the sum of a histogram or summary
    count UBIGINT,                        -- histogram and summary
    data VARCHAR NOT NULL,                -- buckets, bounds, quantiles, exemplars
    service_name VARCHAR NOT NULL,
    resource VARCHAR NOT NULL,
    scope_name VARCHAR NOT NULL,
    scope_version VARCHAR NOT NULL,
    attributes VARCHAR NOT NULL,
    received_at TIMESTAMP NOT NULL
);

CREATE VIEW metric_points AS
SELECT name, type, unit, description, temporality, is_monotonic, start_time, time, value, count,
       data::JSON AS data, service_name, resource::JSON AS resource, scope_name, scope_version,
       attributes::JSON AS attributes, received_at
FROM raw_metrics;

-- Up to where the journal is in the tables; moved in the transaction that loads.
CREATE TABLE journal_mark (segment BIGINT NOT NULL, "offset" BIGINT NOT NULL);
INSERT INTO journal_mark VALUES (1, 0);

-- What came from whom: received = stored + duplicates + rejected; salvaged rows are among the stored.
CREATE TABLE intake (
    service_name VARCHAR NOT NULL,
    user_agent VARCHAR NOT NULL,
    signal VARCHAR NOT NULL,              -- traces, logs, metrics
    received UBIGINT NOT NULL,
    stored UBIGINT NOT NULL,
    duplicates UBIGINT NOT NULL,
    salvaged UBIGINT NOT NULL,
    rejected UBIGINT NOT NULL,
    last_at TIMESTAMP NOT NULL
);
