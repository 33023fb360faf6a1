-- Limits on the subscriptions of each WebSocket.
alter table rule_limits
  add column per_connection boolean,
  add constraint rule_limits_per_connection check (per_connection is null or algorithm = 'CONCURRENCY');
