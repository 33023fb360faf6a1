-- A token of an administrator that another one took the place of, and that is good for a while beside it: both have the name
-- of who holds them.
alter table admin_tokens add column replaced_at timestamptz;
drop index admin_tokens_name_unique;
create unique index admin_tokens_name_unique on admin_tokens (name) where revoked_at is null and replaced_at is null;
