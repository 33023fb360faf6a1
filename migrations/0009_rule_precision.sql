-- Whether a rule counts each operation in the shared counters (EXACT), or instances may lease
-- tokens (LEASED). The default is for instances of older versions, which write rules without this
-- column.
alter table rules add column precision text not null default 'EXACT'
  constraint rules_precision check (precision in ('EXACT', 'LEASED'));
