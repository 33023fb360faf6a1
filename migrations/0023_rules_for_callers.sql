-- Conditions on callers. Null and empty lists match all callers, so stored rules keep their meaning.
alter table rules
  add column match_callers text
    constraint rules_match_callers check (match_callers in ('ANONYMOUS', 'IDENTIFIED')),
  add column match_credentials text[] not null default '{}'
    constraint rules_match_credentials check (
      match_credentials <@ array['KEY', 'TOKEN', 'NONE'] and array_position(match_credentials, null) is null
    ),
  -- Names; a trailing * makes a name a prefix.
  add column match_users text[] not null default '{}'
    constraint rules_match_users check (is_list_of_texts(match_users, 512)),
  add column match_tenants text[] not null default '{}'
    constraint rules_match_tenants check (is_list_of_texts(match_tenants, 512)),
  add column match_keys text[] not null default '{}'
    constraint rules_match_keys check (is_list_of_texts(match_keys, 512)),
  -- Whether the rule applies to agents only.
  add column match_agents boolean not null default false;

-- A rule may count several fields together. Their patterns are separated by a comma and a space.
alter table rules drop constraint rules_field;
alter table rules add constraint rules_field check (
  field = '*'
  or (
    field ~ '^(\*|[_A-Za-z][_0-9A-Za-z]*)\.(\*|[_A-Za-z][_0-9A-Za-z]*)(, (\*|[_A-Za-z][_0-9A-Za-z]*)\.(\*|[_A-Za-z][_0-9A-Za-z]*))*$'
    and char_length(field) <= 50 * 258
  )
);

-- Whether the caller was an agent. Null: recorded before this migration.
alter table decisions add column agent boolean;
