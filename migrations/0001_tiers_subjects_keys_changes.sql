-- Tiers, subjects, API keys, and the record of every change to them.

create table tiers (
  name text primary key
    constraint tiers_name check (name ~ '^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$'),
  display_name text not null
    constraint tiers_display_name check (char_length(display_name) between 1 and 100),
  -- In the currency's smallest unit, per month; both null: no price is published.
  monthly_price_minor bigint
    constraint tiers_monthly_price_minor check (monthly_price_minor between 0 and 9007199254740991),
  price_currency text
    constraint tiers_price_currency check (price_currency ~ '^[A-Z]{3}$'),
  capacity bigint not null
    constraint tiers_capacity check (capacity between 1 and 2147483647),
  refill_amount bigint not null
    constraint tiers_refill_amount check (refill_amount between 1 and 2147483647),
  refill_period_ms bigint not null
    constraint tiers_refill_period_ms check (refill_period_ms between 1 and 4503599627370496),
  max_cost_per_operation bigint
    constraint tiers_max_cost_per_operation check (max_cost_per_operation between 1 and 2147483647),
  is_default boolean not null default false,
  version integer not null default 1
    constraint tiers_version check (version >= 1),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  retired_at timestamptz,
  constraint tiers_price_complete check ((monthly_price_minor is null) = (price_currency is null)),
  -- A bucket's level is counted in units of 1/period of a token: above 2^52 a double could not hold every level.
  constraint tiers_exact check (capacity::numeric * refill_period_ms <= 4503599627370496),
  constraint tiers_default_lives check (not (is_default and retired_at is not null))
);

create unique index tiers_one_default on tiers (is_default) where is_default;

create table subjects (
  id bigint generated always as identity primary key,
  -- '' stands for none, so that (tenant, user) is an ordinary key. A row without a user is the tenant itself.
  tenant_id text not null default ''
    constraint subjects_tenant_id check (octet_length(tenant_id) <= 512),
  user_id text not null default ''
    constraint subjects_user_id check (octet_length(user_id) <= 512),
  -- Null: the tenant's tier, else the default one.
  tier text references tiers (name),
  upgraded_at timestamptz,
  override_capacity bigint
    constraint subjects_override_capacity check (override_capacity between 1 and 2147483647),
  override_refill_amount bigint
    constraint subjects_override_refill_amount check (override_refill_amount between 1 and 2147483647),
  override_refill_period_ms bigint
    constraint subjects_override_refill_period_ms check (override_refill_period_ms between 1 and 4503599627370496),
  override_expires_at timestamptz,
  disabled_at timestamptz,
  version integer not null default 1
    constraint subjects_version check (version >= 1),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint subjects_identity unique (tenant_id, user_id),
  constraint subjects_identified check (tenant_id <> '' or user_id <> ''),
  constraint subjects_override_complete check (
    num_nulls(override_capacity, override_refill_amount, override_refill_period_ms) in (0, 3)
    and (override_expires_at is null or override_capacity is not null)
  ),
  constraint subjects_override_exact check (
    override_capacity::numeric * override_refill_period_ms <= 4503599627370496
  )
);

create index subjects_tier on subjects (tier);

create table api_keys (
  id bigint generated always as identity primary key,
  -- The public part of a key: names it in answers, logs and counters.
  prefix text not null
    constraint api_keys_prefix check (prefix ~ '^[A-Za-z0-9_-]{1,64}$')
    constraint api_keys_prefix_unique unique,
  -- SHA-256 of the whole key. The key itself is shown once and kept nowhere.
  secret_hash text not null
    constraint api_keys_secret_hash check (secret_hash ~ '^[0-9a-f]{64}$')
    constraint api_keys_secret_hash_unique unique,
  subject_id bigint not null references subjects (id),
  name text not null default ''
    constraint api_keys_name check (char_length(name) <= 100),
  scopes text[] not null default '{}',
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now()
);

create index api_keys_subject on api_keys (subject_id);

-- Numbers in the order of commits: a writer holds the lock from its first number to its commit, so that whoever has read
-- up to number n never finds a smaller one later. Numbers may be missing where a transaction was rolled back.
create sequence change_numbers;

create function lock_changes() returns void language sql as
  'select pg_advisory_xact_lock(1414483020, 2)';

create function next_change_number() returns bigint language plpgsql as $$
begin
  perform lock_changes();
  return nextval('change_numbers');
end
$$;

create table changes (
  number bigint primary key default next_change_number(),
  entity text not null
    constraint changes_entity check (entity in ('TIER', 'SUBJECT', 'API_KEY', 'RULE')),
  -- What the entity is called: a tier's name, a key's prefix, the id of a subject or rule.
  entity_key text not null,
  action text not null
    constraint changes_action check (action ~ '^[A-Z_]+$'),
  actor text not null
    constraint changes_actor check (actor <> ''),
  auth_method text not null
    constraint changes_auth_method check (auth_method ~ '^[A-Z_]+$'),
  before jsonb,
  after jsonb,
  comment text
    constraint changes_comment check (char_length(comment) <= 1000),
  changed_at timestamptz not null default clock_timestamp()
);

create index changes_of_entity on changes (entity, entity_key, number desc);

create function refuse_to_rewrite_changes() returns trigger language plpgsql as $$
begin
  raise exception 'changes is append-only' using errcode = 'insufficient_privilege';
end
$$;

create trigger changes_append_only before update or delete or truncate on changes
  for each statement execute function refuse_to_rewrite_changes();
