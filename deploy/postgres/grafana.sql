-- PostgreSQL runs this file once, when compose.yaml creates the database. The file creates the role with which Grafana reads
-- the data of the panel "Top callers". The role can read all tables, including the hashes of API keys, and cannot write. In
-- production, set your own password, and grant select only on usage_minute and usage_subjects.
create role grafana login password 'grafana' in role pg_read_all_data;
