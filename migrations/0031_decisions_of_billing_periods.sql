-- What calendar windows depend on, for trying draft rules on recorded decisions; null: none, or not recorded.
alter table decisions add column key_calendar jsonb;
alter table decisions add column billing_anchor text;
