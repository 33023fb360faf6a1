-- Limits on amounts other than tokens: objects, and the two numbers of the cost-directives draft.
alter table rules drop constraint rules_measure;
alter table rules add constraint rules_measure
  check (measure in ('COST', 'CALLS', 'REQUESTS', 'NODES', 'TYPE_COST', 'FIELD_COST'));

-- Operations above one of these are refused, whatever the bucket holds; null: no ceiling.
alter table tiers
  add column max_nodes_per_operation bigint
    constraint tiers_max_nodes_per_operation check (max_nodes_per_operation between 1 and 2147483647),
  add column max_type_cost_per_operation bigint
    constraint tiers_max_type_cost_per_operation check (max_type_cost_per_operation between 1 and 2147483647),
  add column max_field_cost_per_operation bigint
    constraint tiers_max_field_cost_per_operation check (max_field_cost_per_operation between 1 and 2147483647);
