-- Limits on open WebSocket connections.
alter table rules drop constraint rules_measure;
alter table rules add constraint rules_measure
  check (measure in ('COST', 'CALLS', 'REQUESTS', 'NODES', 'TYPE_COST', 'FIELD_COST', 'SUBSCRIPTIONS', 'CONNECTIONS'));
