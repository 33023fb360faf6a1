-- Whether each region enforces its share of the limits of a rule. Older instances write rules without it.
alter table rules
  add column region_mode text not null default 'CENTRAL'
    constraint rules_region_mode check (region_mode in ('CENTRAL', 'SPLIT'));
