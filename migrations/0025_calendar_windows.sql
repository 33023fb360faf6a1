-- Limits and budgets of tiers by the periods of a calendar. The members of a calendar window other than its amount are one JSON
-- object, so that a further one needs no column.
alter table rule_limits add column calendar jsonb
  constraint rule_limits_calendar check (jsonb_typeof(calendar) = 'object' and calendar ? 'every');
alter table rule_limits drop constraint rule_limits_algorithm;
alter table rule_limits add constraint rule_limits_algorithm check (algorithm in (
  'TOKEN_BUCKET', 'LEAKY_BUCKET', 'FIXED_WINDOW', 'SLIDING_WINDOW_COUNTER', 'SLIDING_WINDOW_LOG', 'CONCURRENCY', 'CALENDAR_WINDOW'
));
alter table rule_limits drop constraint rule_limits_amount;
-- Only a period, which may last a year, includes more than one operation can cost.
alter table rule_limits add constraint rule_limits_amount
  check (amount between 1 and case algorithm when 'CALENDAR_WINDOW' then 1099511627775 else 2147483647 end);
alter table rule_limits drop constraint rule_limits_members;
alter table rule_limits add constraint rule_limits_members check (
  case algorithm
    when 'CALENDAR_WINDOW' then num_nulls(amount, calendar) = 0
      and num_nonnulls(capacity, refill_amount, refill_period_ms, window_ms, strict, lease_ms, max_debt) = 0
    when 'CONCURRENCY' then num_nulls(capacity, lease_ms) = 0
      and num_nonnulls(refill_amount, refill_period_ms, amount, window_ms, strict, max_debt, calendar) = 0
    when 'TOKEN_BUCKET' then num_nulls(capacity, refill_amount, refill_period_ms) = 0
      and num_nonnulls(amount, window_ms, strict, lease_ms, calendar) = 0
    when 'LEAKY_BUCKET' then num_nulls(capacity, refill_amount, refill_period_ms) = 0
      and num_nonnulls(amount, window_ms, strict, lease_ms, calendar) = 0
    else num_nulls(amount, window_ms) = 0
      and num_nonnulls(capacity, refill_amount, refill_period_ms, lease_ms, max_debt, calendar) = 0
      and (strict is null or algorithm = 'SLIDING_WINDOW_COUNTER')
  end
);

-- Null: callers of the tier have no budget.
alter table tiers add column budget jsonb
  constraint tiers_budget check (jsonb_typeof(budget) = 'object' and budget ? 'amount' and budget ? 'every');

-- Features that a version must know to apply a rule or a tier. An instance of an older version does not read the columns of newer
-- ones: by these names, it notices that it cannot apply the row.
alter table rules add column needs text[] not null default '{}';
alter table tiers add column needs text[] not null default '{}';
