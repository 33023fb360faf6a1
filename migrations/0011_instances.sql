-- The processes that run on this database, as each says of itself every few seconds. One that has not said so for a while is gone.
create table instances (
  id text primary key
    constraint instances_id check (id ~ '^[A-Za-z0-9_-]{12}$'),
  -- What is published under this name is what this process protects; null: it publishes nothing.
  service text
    constraint instances_service check (service ~ '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$'),
  -- Of what it has published; null: nothing.
  published_hash text
    constraint instances_published_hash check (published_hash ~ '^[0-9a-f]{64}$'),
  version text not null
    constraint instances_version check (char_length(version) between 1 and 100),
  host text not null
    constraint instances_host check (char_length(host) between 1 and 255),
  pid integer not null,
  -- What it divides each limit by while it decides without Redis.
  divisor integer not null
    constraint instances_divisor check (divisor between 1 and 1000),
  -- What keeps it from working as it should, in words.
  problems jsonb not null
    constraint instances_problems check (jsonb_typeof(problems) = 'array' and octet_length(problems::text) <= 65536),
  started_at timestamptz not null,
  seen_at timestamptz not null default now()
);

create index instances_by_sight on instances (seen_at);

-- The rules and tiers in the code of servers that publish their schemas, whole: of the servers of one name, those of the one
-- that started last and still runs.
create table service_policies (
  service text primary key
    constraint service_policies_service check (service ~ '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$'),
  -- SHA-256 of the schema with its prices, the rules and the tiers, in hexadecimal.
  hash text not null
    constraint service_policies_hash check (hash ~ '^[0-9a-f]{64}$'),
  rules jsonb not null
    constraint service_policies_rules check (jsonb_typeof(rules) = 'array' and octet_length(rules::text) <= 8388608),
  tiers jsonb not null
    constraint service_policies_tiers check (jsonb_typeof(tiers) = 'array' and octet_length(tiers::text) <= 1048576),
  published_at timestamptz not null default now(),
  -- When a server of this name was seen last: to the minute.
  seen_at timestamptz not null default now()
);
