-- Who asked for one operation, over any range. By minute the primary key finds few enough.
create index concurrently usage_hour_operation_id_bucket_idx on usage_hour (operation_id, bucket);
create index concurrently usage_day_operation_id_bucket_idx on usage_day (operation_id, bucket);
