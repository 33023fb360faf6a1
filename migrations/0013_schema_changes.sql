-- SCHEMA: an API behind gateways has another schema or other prices, under its address.
alter table changes drop constraint changes_entity;
alter table changes add constraint changes_entity
  check (entity in ('TIER', 'SUBJECT', 'API_KEY', 'RULE', 'ADMIN_TOKEN', 'SESSION', 'ACCESS', 'SCHEMA'))
  -- It allows all that the one before allowed: to look through the rows would shut out who writes meanwhile.
  not valid;
