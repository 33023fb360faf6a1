-- Indexes for the callers of one operation over long ranges. Usage by minute needs no such index,
-- because its ranges are short and the primary key finds few rows.
create index concurrently usage_hour_operation_id_bucket_idx on usage_hour (operation_id, bucket);
create index concurrently usage_day_operation_id_bucket_idx on usage_day (operation_id, bucket);
