-- The role of servers that ask for decisions, and the key that signs the receipts of decisions.
alter table admin_tokens drop constraint admin_tokens_role;
alter table admin_tokens add constraint admin_tokens_role
  check (role in ('DECIDER', 'VIEWER', 'OPERATOR', 'ADMIN'))
  not valid;

create table receipt_keys (
  id integer primary key
    constraint receipt_keys_id check (id = 1),
  key text not null
    constraint receipt_keys_key check (key ~ '^[0-9a-f]{64}$'),
  created_at timestamptz not null default now()
);
