-- What a judge (a model that the user named) thinks of a finding: beside the rule's word, never in its place.
CREATE TABLE second_opinions (
    finding_id VARCHAR NOT NULL,
    verdict VARCHAR NOT NULL,             -- contradicted, supported, unknown
    reason VARCHAR NOT NULL,
    model VARCHAR NOT NULL,
    given_at TIMESTAMP NOT NULL
);

CREATE OR REPLACE VIEW findings AS
SELECT f.*, v.verdict, o.verdict AS judge_verdict, o.reason AS judge_reason, o.model AS judge_model
FROM derived_findings f
LEFT JOIN verdicts v USING (finding_id)
LEFT JOIN second_opinions o USING (finding_id);
