-- Run once, when the database of compose.yaml is made: whom Grafana's panel "Top callers" reads as. It can write nothing. It can
-- read all tables, those with hashes of keys among them: outside of trying it out, give it a password of your own, and grant it
-- usage_minute and usage_subjects alone.
create role grafana login password 'grafana' in role pg_read_all_data;
