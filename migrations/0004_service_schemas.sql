-- The schemas of the APIs that are protected, as their servers publish them when they start: the one that started last says
-- what there is. Other processes explain prices, preview charges and simulate rules with them.
create table service_schemas (
  service text primary key
    constraint service_schemas_service check (service ~ '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$'),
  -- SHA-256 of the schema and its prices, in hexadecimal: who has built a schema of this hash need not read it again.
  hash text not null
    constraint service_schemas_hash check (hash ~ '^[0-9a-f]{64}$'),
  sdl text not null
    constraint service_schemas_sdl check (octet_length(sdl) between 1 and 8388608),
  -- Annotations by coordinate, and how the rest is priced.
  prices jsonb not null
    constraint service_schemas_prices check (jsonb_typeof(prices) = 'object'),
  published_at timestamptz not null default now()
);
