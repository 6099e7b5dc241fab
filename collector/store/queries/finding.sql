-- One finding.
SELECT * FROM findings WHERE finding_id = $finding_id
