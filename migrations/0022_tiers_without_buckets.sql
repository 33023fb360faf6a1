-- A tier without a bucket limits its callers only by rules and by its maxima.
alter table tiers
  alter column capacity drop not null,
  alter column refill_amount drop not null,
  alter column refill_period_ms drop not null,
  add constraint tiers_bucket check (num_nulls(capacity, refill_amount, refill_period_ms) in (0, 3));
