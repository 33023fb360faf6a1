-- Events, usage and the log of decisions. A row of usage names things by number: rows are many, names are long.

-- Who is charged: the user, else the API key, else the address, each in a namespace of its own.
create table usage_subjects (
  id bigint generated always as identity primary key,
  -- '' stands for none.
  tenant_id text not null default ''
    constraint usage_subjects_tenant_id check (octet_length(tenant_id) <= 512),
  -- OTHER: those that came after so many different ones in one minute that no more are told apart.
  kind text not null
    constraint usage_subjects_kind check (kind in ('USER', 'API_KEY', 'IP', 'OTHER')),
  name text not null
    constraint usage_subjects_name check (octet_length(name) <= 512 and (name = '') = (kind = 'OTHER')),
  last_seen_on date not null default current_date,
  constraint usage_subjects_identity unique (tenant_id, kind, name)
);

create index usage_subjects_last_seen_on on usage_subjects (last_seen_on);
create index usage_subjects_name on usage_subjects (name);

-- Callers choose the names of operations: they are cut to length, and after so many in one minute they are '(other)'.
create table usage_operations (
  id integer generated always as identity primary key,
  -- UNPRICED: what paid the flat fee, as it was never priced: a syntax error, an unknown field. OTHER: see above.
  type text not null
    constraint usage_operations_type check (type in ('QUERY', 'MUTATION', 'SUBSCRIPTION', 'UNPRICED', 'OTHER')),
  -- '' stands for none.
  name text not null default ''
    constraint usage_operations_name check (char_length(name) <= 200),
  last_seen_on date not null default current_date,
  constraint usage_operations_identity unique (type, name)
);

create index usage_operations_last_seen_on on usage_operations (last_seen_on);
create index usage_operations_name on usage_operations (name);

create table usage_fields (
  id integer generated always as identity primary key,
  coordinate text not null
    constraint usage_fields_coordinate check (char_length(coordinate) between 3 and 512)
    constraint usage_fields_coordinate_unique unique
);

-- By name, as a denial names it: a rule's, or "tier:NAME". A rule that is stored again under its name goes on.
create table usage_rules (
  id integer generated always as identity primary key,
  name text not null
    constraint usage_rules_name check (char_length(name) between 1 and 100)
    constraint usage_rules_name_unique unique
);

-- The last batch of each writer: one that is sent again, as its answer was lost, is not counted twice.
create table usage_writers (
  -- One start of one process. It sends its batches one after the other.
  id uuid primary key,
  last_batch bigint not null
    constraint usage_writers_last_batch check (last_batch >= 1),
  stored_at timestamptz not null default now()
);

-- Usage by start of minute, hour and day (UTC). All three are written in one transaction, so that they always agree.
-- requests = admitted and denied ones. estimated_cost and actual_cost are those of the admitted: what was charged first, and
-- what was charged in the end (the estimate, where it stands). denied_cost: what the denied would have cost.

create table usage_minute (
  bucket timestamptz not null
    constraint usage_minute_bucket check (extract(epoch from bucket) % 60 = 0),
  subject_id bigint not null,
  operation_id integer not null,
  tier text not null
    constraint usage_minute_tier check (char_length(tier) between 1 and 64),
  requests bigint not null,
  denied bigint not null,
  -- Admitted, though a shadow rule would have denied them.
  shadow_denied bigint not null,
  -- Decided without the shared counters.
  degraded bigint not null,
  estimated_cost bigint not null,
  actual_cost bigint not null,
  denied_cost bigint not null,
  primary key (bucket, subject_id, operation_id, tier),
  constraint usage_minute_counts check (
    requests > 0 and denied between 0 and requests and shadow_denied between 0 and requests
    and degraded between 0 and requests and estimated_cost >= 0 and actual_cost >= 0 and denied_cost >= 0
  )
) partition by range (bucket);

create table usage_hour (like usage_minute including all) partition by range (bucket);
create table usage_day (like usage_minute including all) partition by range (bucket);

-- The same without the operation, and without the subject, so that long ranges read few rows.

create table usage_subject_hour (like usage_minute including all excluding indexes) partition by range (bucket);
alter table usage_subject_hour drop column operation_id, add primary key (bucket, subject_id, tier);
create table usage_subject_day (like usage_subject_hour including all) partition by range (bucket);

create table usage_operation_minute (like usage_minute including all excluding indexes) partition by range (bucket);
alter table usage_operation_minute drop column subject_id, add primary key (bucket, operation_id, tier);
create table usage_operation_hour (like usage_operation_minute including all) partition by range (bucket);
create table usage_operation_day (like usage_operation_minute including all) partition by range (bucket);

-- What one subject did, over any range.
create index on usage_hour (subject_id, bucket);
create index on usage_day (subject_id, bucket);
create index on usage_subject_hour (subject_id, bucket);
create index on usage_subject_day (subject_id, bucket);
create index on usage_operation_hour (operation_id, bucket);
create index on usage_operation_day (operation_id, bucket);

-- Per field. Costs are the field's own, without what is selected below it.
create table usage_field_minute (
  bucket timestamptz not null
    constraint usage_field_minute_bucket check (extract(epoch from bucket) % 60 = 0),
  field_id integer not null,
  -- Operations that select it.
  requests bigint not null,
  denied bigint not null,
  -- How often it is resolved at most, and how often it was; of the admitted.
  estimated_calls bigint not null,
  actual_calls bigint not null,
  estimated_cost bigint not null,
  actual_cost bigint not null,
  primary key (bucket, field_id),
  constraint usage_field_minute_counts check (
    requests >= 0 and denied between 0 and requests and estimated_calls >= 0 and actual_calls >= 0
    and estimated_cost >= 0 and actual_cost >= 0
  )
) partition by range (bucket);

create table usage_field_hour (like usage_field_minute including all) partition by range (bucket);
create table usage_field_day (like usage_field_minute including all) partition by range (bucket);
create index on usage_field_hour (field_id, bucket);
create index on usage_field_day (field_id, bucket);

-- Per rule, the buckets of tiers included. Costs are what the rule measures: tokens, calls or requests.
create table usage_rule_minute (
  bucket timestamptz not null
    constraint usage_rule_minute_bucket check (extract(epoch from bucket) % 60 = 0),
  rule_id integer not null,
  -- Operations that it applied to.
  requests bigint not null,
  -- Of them, those that it denied: the narrowest rule that refused.
  denied bigint not null,
  -- Admitted, though this rule, in shadow, would have denied them.
  shadow_denied bigint not null,
  estimated_cost bigint not null,
  actual_cost bigint not null,
  denied_cost bigint not null,
  primary key (bucket, rule_id),
  constraint usage_rule_minute_counts check (
    requests > 0 and denied between 0 and requests and shadow_denied between 0 and requests
    and estimated_cost >= 0 and actual_cost >= 0 and denied_cost >= 0
  )
) partition by range (bucket);

create table usage_rule_hour (like usage_rule_minute including all) partition by range (bucket);
create table usage_rule_day (like usage_rule_minute including all) partition by range (bucket);
create index on usage_rule_hour (rule_id, bucket);
create index on usage_rule_day (rule_id, bucket);

-- Whom each rule denied, or in shadow would have denied.
create table usage_violation_minute (
  bucket timestamptz not null
    constraint usage_violation_minute_bucket check (extract(epoch from bucket) % 60 = 0),
  rule_id integer not null,
  subject_id bigint not null,
  denied bigint not null,
  shadow_denied bigint not null,
  -- The whole cost of the operations that were, or would have been, denied.
  denied_cost bigint not null,
  primary key (bucket, rule_id, subject_id),
  constraint usage_violation_minute_counts check (
    denied >= 0 and shadow_denied >= 0 and denied + shadow_denied > 0 and denied_cost >= 0
  )
) partition by range (bucket);

create table usage_violation_hour (like usage_violation_minute including all) partition by range (bucket);
create table usage_violation_day (like usage_violation_minute including all) partition by range (bucket);
create index on usage_violation_hour (subject_id, bucket);
create index on usage_violation_day (subject_id, bucket);

do $$
declare
  one name;
begin
  for one in select relname from pg_class where relkind = 'p' and relnamespace = current_schema()::regnamespace
  loop
    if one !~ '_minute$' then
      execute format(
        'alter table %I add constraint %I check (extract(epoch from bucket) %% %s = 0)', one, one || '_bucket',
        case when one ~ '_hour$' then 3600 else 86400 end
      );
    end if;
  end loop;
end
$$;

-- One row per denial, per shadow rule that would have denied, and per degraded decision that admitted.
create table events (
  id bigint generated always as identity,
  at timestamptz not null,
  kind text not null
    constraint events_kind check (kind in ('DENIED', 'SHADOW_DENIED', 'DEGRADED')),
  -- Null unless DENIED.
  code text
    constraint events_code check (code in ('THROTTLED', 'MAX_COST_EXCEEDED', 'UNAVAILABLE')),
  -- Null when DEGRADED.
  rule text
    constraint events_rule check (char_length(rule) between 1 and 100),
  tenant_id text constraint events_tenant_id check (octet_length(tenant_id) <= 512),
  user_id text constraint events_user_id check (octet_length(user_id) <= 512),
  api_key text constraint events_api_key check (octet_length(api_key) <= 512),
  ip text constraint events_ip check (octet_length(ip) <= 512),
  tier text not null
    constraint events_tier check (char_length(tier) between 1 and 64),
  operation_type text not null
    constraint events_operation_type check (operation_type in ('QUERY', 'MUTATION', 'SUBSCRIPTION', 'UNPRICED')),
  operation_name text
    constraint events_operation_name check (char_length(operation_name) <= 200),
  client text
    constraint events_client check (char_length(client) <= 200),
  degraded boolean not null,
  -- What the operation asked for in all.
  requested_cost bigint not null
    constraint events_requested_cost check (requested_cost >= 0),
  -- The limit named by `rule`: what it was asked for, and how it stood. Null when DEGRADED.
  scope text
    constraint events_scope check (scope in ('GLOBAL', 'TENANT', 'USER', 'API_KEY', 'IP')),
  field text
    constraint events_field check (char_length(field) <= 256),
  charge bigint,
  limit_amount bigint,
  used bigint,
  remaining bigint,
  -- Null where waiting does not help.
  retry_after_ms bigint,
  primary key (at, id)
) partition by range (at);

create index on events (rule, at);
create index on events (user_id, at) where user_id is not null;
create index on events (tenant_id, at) where tenant_id is not null;
create index on events (operation_name, at) where operation_name is not null;
create index on events (api_key, at) where user_id is null and api_key is not null;
create index on events (ip, at) where user_id is null and api_key is null;
create index on events (kind, at);

-- Single decisions, for trying a draft rule on what happened. Under load they are those of a share of the callers.
create table decisions (
  id bigint generated always as identity,
  -- When it was decided.
  at timestamptz not null,
  tenant_id text constraint decisions_tenant_id check (octet_length(tenant_id) <= 512),
  user_id text constraint decisions_user_id check (octet_length(user_id) <= 512),
  api_key text constraint decisions_api_key check (octet_length(api_key) <= 512),
  ip text constraint decisions_ip check (octet_length(ip) <= 512),
  tier text not null
    constraint decisions_tier check (char_length(tier) between 1 and 64),
  operation_type text not null
    constraint decisions_operation_type check (operation_type in ('QUERY', 'MUTATION', 'SUBSCRIPTION')),
  operation_name text
    constraint decisions_operation_name check (char_length(operation_name) <= 200),
  client text
    constraint decisions_client check (char_length(client) <= 200),
  -- Capacity, refill amount and refill period in ms of the caller's own bucket; null: the tier's.
  own_bucket bigint[]
    constraint decisions_own_bucket check (cardinality(own_bucket) = 3),
  -- Equal for the operations of one batch, which are charged as one.
  batch bigint,
  verdict text not null
    constraint decisions_verdict check (verdict in ('ADMITTED', 'THROTTLED', 'MAX_COST_EXCEEDED', 'UNAVAILABLE')),
  denied_by text
    constraint decisions_denied_by check (char_length(denied_by) between 1 and 100),
  degraded boolean not null,
  estimated_cost bigint not null,
  -- Null where the estimate stands, and when denied.
  actual_cost bigint,
  -- From the decision to the answer: how long a place of a CONCURRENCY limit was taken.
  duration_ms integer not null
    constraint decisions_duration_ms check (duration_ms >= 0),
  -- Five numbers per field: its id, most calls, cost with what is below it, and both as they came to be (-1: not known).
  fields integer[] not null
    constraint decisions_fields check (cardinality(fields) % 5 = 0),
  -- The share of callers, by the hash of their root, whose decisions were kept at that time: 1 unless there were too many.
  sampled real not null default 1
    constraint decisions_sampled check (sampled > 0 and sampled <= 1),
  primary key (at, id),
  constraint decisions_denier check ((verdict = 'ADMITTED') = (denied_by is null))
) partition by range (at);

-- Partitions: a day each (events, decisions, usage by minute), or a month (usage by hour and by day). There are none yet:
-- who writes makes them.

create table usage_partitioned (
  parent text primary key,
  step text not null
    constraint usage_partitioned_step check (step in ('day', 'month'))
);

insert into usage_partitioned (parent, step)
select relname, case when relname ~ '^usage_.*(hour|day)$' then 'month' else 'day' end
from pg_class where relkind = 'p' and relnamespace = current_schema()::regnamespace;

-- Makes sure that rows of that time find a partition. True when it made one.
create function ensure_usage_partition(of_table text, for_time timestamptz) returns boolean language plpgsql as $$
declare
  one usage_partitioned;
  first_moment timestamp;
  part text;
begin
  select * into strict one from usage_partitioned where parent = of_table;
  first_moment := date_trunc(one.step, for_time at time zone 'UTC');
  part := of_table || '_p' || to_char(first_moment, case one.step when 'day' then 'YYYYMMDD' else 'YYYYMM' end);
  if to_regclass(part) is not null then
    return false;
  end if;
  -- The letters TOLL, then 3: one at a time.
  perform pg_advisory_xact_lock(1414483020, 3);
  -- Not to_regclass: it remembers that there was none before the wait.
  if exists (select from pg_class where relname = part and relnamespace = current_schema()::regnamespace) then
    return false;
  end if;
  -- Made beside the table and then attached: unlike "partition of", that does not shut out who reads and writes it.
  execute format('create table %I (like %I including defaults including constraints)', part, of_table);
  execute format(
    'alter table %I attach partition %I for values from (%L) to (%L)', of_table, part,
    first_moment::text || '+00', (first_moment + ('1 ' || one.step)::interval)::text || '+00'
  );
  return true;
end
$$;

-- Partitions from one moment to another, of every table; how many it made.
create function ensure_usage_partitions(from_time timestamptz, to_time timestamptz) returns integer language sql as $$
  select count(*) filter (where ensure_usage_partition(parent, moment at time zone 'UTC'))::integer
  from usage_partitioned, generate_series(
    date_trunc('day', from_time at time zone 'UTC'), to_time at time zone 'UTC', interval '1 day'
  ) as moment
$$;

-- Drops the partitions of a table that hold nothing from that moment on or later; how many.
create function drop_usage_partitions(of_table text, before timestamptz) returns integer language plpgsql as $$
declare
  one usage_partitioned;
  part name;
  dropped integer := 0;
begin
  select * into strict one from usage_partitioned where parent = of_table;
  perform pg_advisory_xact_lock(1414483020, 3);
  for part in
    select child.relname from pg_inherits join pg_class child on child.oid = inhrelid
    where inhparent = of_table::regclass and child.relname ~ '_p[0-9]{6,8}$'
      and to_date(substring(child.relname from '[0-9]+$'), case one.step when 'day' then 'YYYYMMDD' else 'YYYYMM' end)
        + ('1 ' || one.step)::interval <= before at time zone 'UTC'
    order by 1
  loop
    execute format('drop table %I', part);
    dropped := dropped + 1;
  end loop;
  return dropped;
end
$$;
