-- Schemas of the protected APIs. Each server publishes its schema when it starts, and replaces that
-- of an earlier server of the same service. Other processes use the schemas to explain prices,
-- preview charges and simulate rules.
create table service_schemas (
  service text primary key
    constraint service_schemas_service check (service ~ '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$'),
  -- SHA-256 of the schema and its prices, in hexadecimal. A process that has already built the
  -- schema with this hash does not read it again.
  hash text not null
    constraint service_schemas_hash check (hash ~ '^[0-9a-f]{64}$'),
  sdl text not null
    constraint service_schemas_sdl check (octet_length(sdl) between 1 and 8388608),
  -- Annotations by coordinate, and the options that price all other elements.
  prices jsonb not null
    constraint service_schemas_prices check (jsonb_typeof(prices) = 'object'),
  published_at timestamptz not null default now()
);
