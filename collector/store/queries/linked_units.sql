-- Units that emit a key which one of `keys` refers to, or refer to one that it emits.
SELECT DISTINCT s.unit
FROM stitch_keys s JOIN keys k ON s.key = k.key AND s.role <> k.role
