-- Usage of the operations that other servers execute, by the integration that asked for the decision.
-- All other operations have no row: earlier versions do not write these tables.
create table usage_integration_minute (like usage_operation_minute including all excluding indexes) partition by range (bucket);
create table usage_integration_hour (like usage_operation_hour including all excluding indexes) partition by range (bucket);
create table usage_integration_day (like usage_operation_day including all excluding indexes) partition by range (bucket);

do $$
declare
  level text;
begin
  foreach level in array array['minute', 'hour', 'day'] loop
    execute format(
      'alter table usage_integration_%1$s
         drop column operation_id,
         drop column tier,
         add column integration text not null
           constraint usage_integration_%1$s_integration check (char_length(integration) between 1 and 64),
         add primary key (bucket, integration)',
      level
    );
  end loop;
end
$$;

insert into usage_partitioned (parent, step)
values ('usage_integration_minute', 'day'), ('usage_integration_hour', 'month'), ('usage_integration_day', 'month');

-- Integration and server that asked for the decision. Null: the process executes the operation itself, or the row was
-- recorded before this migration. A constraint would read every row while no instance can write.
alter table events
  add column integration text,
  add column service text;
