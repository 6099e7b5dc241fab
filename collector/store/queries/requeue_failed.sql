-- What failed is to be derived again.
INSERT INTO pending_units
SELECT DISTINCT unit, first_ns, last_ns, now()::TIMESTAMP
FROM units
WHERE unit IN (SELECT unit FROM analysis_failures)
   OR unit IN (SELECT s.unit FROM unit_sessions s JOIN analysis_failures f
               ON f.unit = s.service_name || '/' || s.session_id)
