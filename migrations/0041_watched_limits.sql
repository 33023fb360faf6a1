-- Limits that each region enforces whole, with the counts of the other regions.
alter table rules drop constraint rules_region_mode;
alter table rules add constraint rules_region_mode check (region_mode in ('CENTRAL', 'SPLIT', 'WATCH'));
