-- Registered document of a denied operation. Null: not registered, or stored before this migration.
alter table events
  add column app text,
  add column app_version text,
  add column document_id text;
