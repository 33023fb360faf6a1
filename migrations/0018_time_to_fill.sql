-- A bucket that takes longer than 2^40 ms (34 years) to fill up was never limited: its time did not fit a record. Those that exist
-- refill in that time from here on, as the limiter takes no slower ones.
update tiers set refill_period_ms = floor(1099511627775::numeric * refill_amount / capacity)
where capacity::numeric * refill_period_ms > 1099511627775::numeric * refill_amount;
alter table tiers add constraint tiers_time_to_fill
  check (capacity::numeric * refill_period_ms <= 1099511627775::numeric * refill_amount);

update subjects set override_refill_period_ms = floor(1099511627775::numeric * override_refill_amount / override_capacity)
where override_capacity::numeric * override_refill_period_ms > 1099511627775::numeric * override_refill_amount;
alter table subjects add constraint subjects_override_time_to_fill
  check (override_capacity::numeric * override_refill_period_ms <= 1099511627775::numeric * override_refill_amount) not valid;

update rule_limits set refill_period_ms = floor(1099511627775::numeric * refill_amount / greatest(capacity, max_debt))
where greatest(capacity, max_debt)::numeric * refill_period_ms > 1099511627775::numeric * refill_amount;
alter table rule_limits add constraint rule_limits_time_to_fill
  check (greatest(capacity, max_debt)::numeric * refill_period_ms <= 1099511627775::numeric * refill_amount);
