-- Processes that use this database. Each updates its row every few seconds. A process without a
-- recent update counts as ended.
create table instances (
  id text primary key
    constraint instances_id check (id ~ '^[A-Za-z0-9_-]{12}$'),
  -- Service that this process protects and under which it publishes its schema. Null if it
  -- publishes nothing.
  service text
    constraint instances_service check (service ~ '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$'),
  -- Hash of the policy that the process has published. Null if it has published nothing.
  published_hash text
    constraint instances_published_hash check (published_hash ~ '^[0-9a-f]{64}$'),
  version text not null
    constraint instances_version check (char_length(version) between 1 and 100),
  host text not null
    constraint instances_host check (char_length(host) between 1 and 255),
  pid integer not null,
  -- Number by which the process divides each limit while it decides without Redis.
  divisor integer not null
    constraint instances_divisor check (divisor between 1 and 1000),
  -- Descriptions of problems that prevent normal operation.
  problems jsonb not null
    constraint instances_problems check (jsonb_typeof(problems) = 'array' and octet_length(problems::text) <= 65536),
  started_at timestamptz not null,
  seen_at timestamptz not null default now()
);

create index instances_by_sight on instances (seen_at);

-- All rules and tiers in the code of servers that publish their schemas. Of several servers of one
-- service, the row is from a running one, usually from the one that started last.
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
  -- Time of the last heartbeat of a server of this service, to the minute.
  seen_at timestamptz not null default now()
);
