-- The alerts, those that are firing first.
SELECT * FROM alerts ORDER BY state = 'firing' DESC, started_at DESC
