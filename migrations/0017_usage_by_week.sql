-- Whole weeks of callers' usage, from Thursday to Wednesday as 1970 began with one: who spends most in 90 days is found
-- from a third of the rows.
create table usage_subject_week (like usage_subject_day including all) partition by range (bucket);
alter table usage_subject_week add constraint usage_subject_week_bucket check (extract(epoch from bucket) % 604800 = 0);

-- What a table says of earlier buckets is not complete: it came later than they did, and instances that do not know it yet
-- may write beside it for some days.
alter table usage_partitioned add column complete_from timestamptz not null default 'epoch';

insert into usage_partitioned (parent, step, complete_from)
select 'usage_subject_week', 'month',
  case when exists (select from usage_day) then date_bin('7 days', now(), 'epoch') + interval '14 days' else 'epoch' end;

-- As before; a week that has begun in another month needs a partition there.
create or replace function ensure_usage_partitions(from_time timestamptz, to_time timestamptz) returns integer language sql as $$
  select count(*) filter (where ensure_usage_partition(parent, moment at time zone 'UTC'))::integer
  from usage_partitioned, generate_series(
    date_trunc('day', from_time at time zone 'UTC') - case when parent like '%\_week' then interval '6 days' else interval '0' end,
    to_time at time zone 'UTC', interval '1 day'
  ) as moment
$$;
