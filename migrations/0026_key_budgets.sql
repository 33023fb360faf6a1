-- A bucket that is charged in addition to the limits of the holder, and the fields that operations with the key may select.
alter table api_keys add column budget jsonb;
alter table api_keys add column fields text[];
alter table api_keys add column version integer not null default 1;
-- Capacity, refill amount and refill period in ms of the key's budget, for trying draft rules on recorded decisions; null: none.
alter table decisions add column key_budget bigint[];
