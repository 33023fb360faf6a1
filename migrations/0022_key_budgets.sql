-- A bucket that is charged in addition to the limits of the holder, and the fields that operations with the key may select.
alter table api_keys add column budget jsonb;
alter table api_keys add column fields text[];
alter table api_keys add column version integer not null default 1;
