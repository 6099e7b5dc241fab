-- Add the counts of one batch to what is known of each client.
MERGE INTO intake USING counts
ON intake.service_name = counts.service_name AND intake.user_agent = counts.user_agent
   AND intake.signal = counts.signal
WHEN MATCHED THEN UPDATE SET
    received = intake.received + counts.received, stored = intake.stored + counts.stored,
    duplicates = intake.duplicates + counts.duplicates, salvaged = intake.salvaged + counts.salvaged,
    rejected = intake.rejected + counts.rejected, last_at = make_timestamp($now_us)
WHEN NOT MATCHED THEN INSERT VALUES (
    counts.service_name, counts.user_agent, counts.signal, counts.received, counts.stored,
    counts.duplicates, counts.salvaged, counts.rejected, make_timestamp($now_us))
