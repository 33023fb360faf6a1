-- Runs once, when compose.yaml creates its database. Creates the role with which Grafana reads the panel "Top callers".
-- The role can read all tables, including the hashes of API keys, and cannot write. In production, set your own password,
-- and grant select on usage_minute and usage_subjects only.
create role grafana login password 'grafana' in role pg_read_all_data;
