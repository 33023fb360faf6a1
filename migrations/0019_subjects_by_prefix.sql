-- The search of callers by the beginning of their id. An index in the order of the collation cannot find a prefix.
create index concurrently subjects_user_prefix on subjects (user_id text_pattern_ops) where user_id <> '';
create index concurrently subjects_tenant_prefix on subjects (tenant_id text_pattern_ops) where user_id = '';
