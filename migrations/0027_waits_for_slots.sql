-- Limits on operations at the same time can let operations wait for a slot.
alter table rule_limits
  add column max_wait_ms integer
    constraint rule_limits_max_wait_ms check (max_wait_ms between 1 and 60000),
  add column max_queue integer
    constraint rule_limits_max_queue check (max_queue between 1 and 10000),
  add constraint rule_limits_queue check (
    num_nonnulls(max_wait_ms, max_queue) = 0 or (algorithm = 'CONCURRENCY' and max_wait_ms is not null)
  );
