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
    constraint rules_match_keys check (is_list_of_texts(match_keys, 512));
