-- Who asked for one operation, over any range. By minute the primary key finds few enough.
create index on usage_hour (operation_id, bucket);
create index on usage_day (operation_id, bucket);
