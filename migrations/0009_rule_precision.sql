-- Whether a rule's limits count each operation in the shared counters, or instances may take tokens ahead. Older instances write
-- rules without it.
alter table rules add column precision text not null default 'EXACT'
  constraint rules_precision check (precision in ('EXACT', 'LEASED'));
