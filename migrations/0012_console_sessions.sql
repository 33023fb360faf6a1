-- The sessions of the console's pages, so that every instance on this database knows them.
create table console_sessions (
  id bigint generated always as identity primary key,
  -- SHA-256 of the secret in the cookie, which is kept nowhere.
  secret_hash text not null
    constraint console_sessions_secret_hash check (secret_hash ~ '^[0-9a-f]{64}$')
    constraint console_sessions_secret_hash_unique unique,
  -- The stored token that opened it; null: that of the settings.
  token_id bigint references admin_tokens (id) on delete cascade,
  -- HMAC-SHA256 of the settings' token under the secret in the cookie: with both one sees that the settings still have this
  -- token, with the row alone nothing.
  settings_proof text
    constraint console_sessions_settings_proof check (settings_proof ~ '^[0-9a-f]{64}$'),
  opened_at timestamptz not null default now(),
  -- To the minute.
  used_at timestamptz not null default now(),
  constraint console_sessions_opened_by_one check (num_nonnulls(token_id, settings_proof) = 1)
);

create index console_sessions_token on console_sessions (token_id, used_at);

alter table changes drop constraint changes_entity;
alter table changes add constraint changes_entity
  check (entity in ('TIER', 'SUBJECT', 'API_KEY', 'RULE', 'ADMIN_TOKEN', 'SESSION', 'ACCESS'))
  not valid;
