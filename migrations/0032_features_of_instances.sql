-- Features of rules, tiers and keys that a process knows, by the names in `needs`. Null: its version does not report them.
alter table instances add column features text[];
