-- Whether the rule applies to agents only.
alter table rules add column match_agents boolean not null default false;

-- Whether the caller was an agent. Null: recorded before this migration.
alter table decisions add column agent boolean;
