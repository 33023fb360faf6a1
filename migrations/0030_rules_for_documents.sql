-- Conditions on documents. Null and empty lists match all, so stored rules keep their meaning.
alter table rules
  add column match_document text
    constraint rules_match_document check (match_document in ('REGISTERED', 'UNREGISTERED')),
  -- Names; a trailing * makes a name a prefix.
  add column match_apps text[] not null default '{}'
    constraint rules_match_apps check (is_list_of_texts(match_apps, 512)),
  add column match_app_versions text[] not null default '{}'
    constraint rules_match_app_versions check (is_list_of_texts(match_app_versions, 512));

-- Registered document of a decision. A document that is not registered has two empty texts.
-- Null: recorded before this migration.
alter table decisions
  add column app text,
  add column app_version text;
