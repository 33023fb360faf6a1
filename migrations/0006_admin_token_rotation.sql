-- Time at which a new token replaced this one. The replaced token may stay valid for a while, and
-- both tokens have the same name.
alter table admin_tokens add column replaced_at timestamptz;
drop index admin_tokens_name_unique;
create unique index admin_tokens_name_unique on admin_tokens (name) where revoked_at is null and replaced_at is null;
