-- Usage of callers by week. A week lasts from Thursday to Wednesday, because 1970-01-01 was a
-- Thursday. With weeks, a ranking of callers over 90 days reads a third of the rows.
create table usage_subject_week (like usage_subject_day including all) partition by range (bucket);
alter table usage_subject_week add constraint usage_subject_week_bucket check (extract(epoch from bucket) % 604800 = 0);

-- Start of the first complete bucket. Earlier buckets of a table that was added later are
-- incomplete. For some days, instances of older versions may still write usage without this table.
alter table usage_partitioned add column complete_from timestamptz not null default 'epoch';

insert into usage_partitioned (parent, step, complete_from)
select 'usage_subject_week', 'month',
  case when exists (select from usage_day) then date_bin('7 days', now(), 'epoch') + interval '14 days' else 'epoch' end;

-- Replaces the function. For the table by week, it begins six days earlier, because a week may have
-- begun in the previous month.
create or replace function ensure_usage_partitions(from_time timestamptz, to_time timestamptz) returns integer language sql as $$
  select count(*) filter (where ensure_usage_partition(parent, moment at time zone 'UTC'))::integer
  from usage_partitioned, generate_series(
    date_trunc('day', from_time at time zone 'UTC') - case when parent like '%\_week' then interval '6 days' else interval '0' end,
    to_time at time zone 'UTC', interval '1 day'
  ) as moment
$$;
