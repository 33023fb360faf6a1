-- SCHEMA is a change of the schema or the prices of an API behind gateways. Its key is the address
-- of the API.
alter table changes drop constraint changes_entity;
alter table changes add constraint changes_entity
  check (entity in ('TIER', 'SUBJECT', 'API_KEY', 'RULE', 'ADMIN_TOKEN', 'SESSION', 'ACCESS', 'SCHEMA'))
  -- All existing rows satisfy the constraint, because it only adds a value. Checking them would
  -- block writers.
  not valid;
