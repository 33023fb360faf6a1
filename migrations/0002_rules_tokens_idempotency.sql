-- Rules, the tokens of administrators, and the keys under which a repeated creation is recognised.

alter table tiers drop constraint tiers_refill_period_ms;
-- What a counter's record has room for.
alter table tiers add constraint tiers_refill_period_ms check (refill_period_ms between 1 and 1099511627775);
alter table subjects drop constraint subjects_override_refill_period_ms;
alter table subjects add constraint subjects_override_refill_period_ms
  check (override_refill_period_ms between 1 and 1099511627775)
  not valid;

-- A list without nulls whose elements are neither empty nor too long.
create function is_list_of_texts(list text[], max_length integer) returns boolean immutable language sql as $$
  select cardinality(list) <= 1000 and array_position(list, null) is null
    and not exists (select from unnest(list) as one where one = '' or char_length(one) > max_length)
$$;

create table rules (
  id bigint generated always as identity primary key,
  -- As a denial names it; the names that begin with "tier:" belong to the buckets of tiers.
  name text not null
    constraint rules_name check (name ~ '^[ -~]{1,100}$' and not starts_with(name, 'tier:')),
  description text
    constraint rules_description check (char_length(description) between 1 and 1000),
  mode text not null
    constraint rules_mode check (mode in ('OFF', 'SHADOW', 'ENFORCE')),
  rollout_percent double precision not null
    constraint rules_rollout_percent check (rollout_percent between 0 and 100),
  priority integer not null
    constraint rules_priority check (priority between 0 and 1000000),
  -- Empty lists match everything. Tiers are in rule_tiers.
  match_operation_types text[] not null default '{}'
    constraint rules_match_operation_types check (
      match_operation_types <@ array['QUERY', 'MUTATION', 'SUBSCRIPTION'] and array_position(match_operation_types, null) is null
    ),
  match_operation_names text[] not null default '{}'
    constraint rules_match_operation_names check (is_list_of_texts(match_operation_names, 200)),
  match_clients text[] not null default '{}'
    constraint rules_match_clients check (is_list_of_texts(match_clients, 200)),
  -- As written; what is no address fails in the cast.
  match_addresses text[] not null default '{}'
    constraint rules_match_addresses check (
      is_list_of_texts(match_addresses, 43) and match_addresses::inet[] is not null
    ),
  scope text not null
    constraint rules_scope check (scope in ('GLOBAL', 'TENANT', 'USER', 'API_KEY', 'IP')),
  field text not null
    constraint rules_field check (
      field = '*'
      or (field ~ '^(\*|[_A-Za-z][_0-9A-Za-z]*)\.(\*|[_A-Za-z][_0-9A-Za-z]*)$' and char_length(field) <= 256)
    ),
  measure text not null
    constraint rules_measure check (measure in ('COST', 'CALLS', 'REQUESTS')),
  action text not null
    constraint rules_action check (action in ('REJECT', 'THROTTLE', 'EXEMPT')),
  max_delay_ms integer
    constraint rules_max_delay_ms check (max_delay_ms between 1 and 60000),
  on_unavailable text not null
    constraint rules_on_unavailable check (on_unavailable in ('LOCAL', 'OPEN', 'CLOSED')),
  response_code text
    constraint rules_response_code check (response_code ~ '^[A-Z][A-Z0-9_]{0,63}$'),
  response_message text
    constraint rules_response_message check (char_length(response_message) between 1 and 500),
  response_status integer
    constraint rules_response_status check (response_status between 200 and 599),
  version integer not null default 1
    constraint rules_version check (version >= 1),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  retired_at timestamptz,
  constraint rules_delay_throttles check ((action = 'THROTTLE') = (max_delay_ms is not null))
);

-- The name of a retired rule may be given again.
create unique index rules_name_unique on rules (name) where retired_at is null;

create table rule_tiers (
  rule_id bigint not null references rules (id) on delete cascade,
  tier text not null references tiers (name),
  primary key (rule_id, tier)
);

create index rule_tiers_tier on rule_tiers (tier);

create table rule_limits (
  rule_id bigint not null references rules (id) on delete cascade,
  position integer not null
    constraint rule_limits_position check (position between 0 and 7),
  key text
    constraint rule_limits_key check (key ~ '^[A-Za-z0-9_.-]{1,64}$'),
  algorithm text not null
    constraint rule_limits_algorithm check (algorithm in (
      'TOKEN_BUCKET', 'LEAKY_BUCKET', 'FIXED_WINDOW', 'SLIDING_WINDOW_COUNTER', 'SLIDING_WINDOW_LOG', 'CONCURRENCY'
    )),
  capacity bigint
    constraint rule_limits_capacity check (capacity between 1 and 2147483647),
  refill_amount bigint
    constraint rule_limits_refill_amount check (refill_amount between 1 and 2147483647),
  refill_period_ms bigint
    constraint rule_limits_refill_period_ms check (refill_period_ms between 1 and 1099511627775),
  amount bigint
    constraint rule_limits_amount check (amount between 1 and 2147483647),
  window_ms bigint
    constraint rule_limits_window_ms check (window_ms between 1 and 1099511627775),
  strict boolean,
  lease_ms bigint
    constraint rule_limits_lease_ms check (lease_ms between 1 and 1099511627775),
  count_denied boolean,
  max_debt bigint
    constraint rule_limits_max_debt check (max_debt between 0 and 2147483647),
  primary key (rule_id, position),
  -- The members of each algorithm, all of them and no others.
  constraint rule_limits_members check (
    case algorithm
      when 'CONCURRENCY' then num_nulls(capacity, lease_ms) = 0
        and num_nonnulls(refill_amount, refill_period_ms, amount, window_ms, strict, max_debt) = 0
      when 'TOKEN_BUCKET' then num_nulls(capacity, refill_amount, refill_period_ms) = 0
        and num_nonnulls(amount, window_ms, strict, lease_ms) = 0
      when 'LEAKY_BUCKET' then num_nulls(capacity, refill_amount, refill_period_ms) = 0
        and num_nonnulls(amount, window_ms, strict, lease_ms) = 0
      else num_nulls(amount, window_ms) = 0
        and num_nonnulls(capacity, refill_amount, refill_period_ms, lease_ms, max_debt) = 0
        and (strict is null or algorithm = 'SLIDING_WINDOW_COUNTER')
    end
  ),
  -- What the limiter can count exactly, and what it has room for.
  constraint rule_limits_exact check (
    capacity::numeric * refill_period_ms <= 4503599627370496
    and max_debt::numeric * refill_period_ms <= 4503599627370496
    and (algorithm <> 'SLIDING_WINDOW_COUNTER' or strict is true or amount::numeric * window_ms <= 4503599627370496)
  ),
  constraint rule_limits_room check (
    (algorithm <> 'SLIDING_WINDOW_LOG' or amount <= 1000) and (algorithm <> 'CONCURRENCY' or capacity <= 10000)
  )
);

create table admin_tokens (
  id bigint generated always as identity primary key,
  -- Who holds it: the actor of what is changed with it.
  name text not null
    constraint admin_tokens_name check (char_length(name) between 1 and 100),
  role text not null
    constraint admin_tokens_role check (role in ('VIEWER', 'OPERATOR', 'ADMIN')),
  -- SHA-256 of the whole token. The token itself is shown once and kept nowhere.
  token_hash text not null
    constraint admin_tokens_token_hash check (token_hash ~ '^[0-9a-f]{64}$')
    constraint admin_tokens_token_hash_unique unique,
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now()
);

create unique index admin_tokens_name_unique on admin_tokens (name) where revoked_at is null;

-- What was created under which key, so that a repeated request creates nothing. Kept for a day.
create table idempotency_keys (
  actor text not null,
  key text not null
    constraint idempotency_keys_key check (char_length(key) between 1 and 200),
  -- SHA-256 of the operation and its input.
  request_hash text not null
    constraint idempotency_keys_request_hash check (request_hash ~ '^[0-9a-f]{64}$'),
  -- What finds the created object again.
  entity_key text not null,
  created_at timestamptz not null default now(),
  primary key (actor, key)
);

create index idempotency_keys_created_at on idempotency_keys (created_at);

alter table changes drop constraint changes_entity;
-- ACCESS: an attempt that was denied, under the name of the operation.
alter table changes add constraint changes_entity
  check (entity in ('TIER', 'SUBJECT', 'API_KEY', 'RULE', 'ADMIN_TOKEN', 'ACCESS'))
  not valid;
