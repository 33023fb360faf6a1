-- Usage of each region. Only servers with a region write rows: other installations have none.
create table usage_region_minute (like usage_operation_minute including all excluding indexes) partition by range (bucket);
create table usage_region_hour (like usage_operation_hour including all excluding indexes) partition by range (bucket);
create table usage_region_day (like usage_operation_day including all excluding indexes) partition by range (bucket);

do $$
declare
  level text;
begin
  foreach level in array array['minute', 'hour', 'day'] loop
    execute format(
      'alter table usage_region_%1$s
         drop column operation_id,
         drop column tier,
         add column region text not null
           constraint usage_region_%1$s_region check (char_length(region) between 1 and 32),
         add primary key (bucket, region)',
      level
    );
  end loop;
end
$$;

insert into usage_partitioned (parent, step)
values ('usage_region_minute', 'day'), ('usage_region_hour', 'month'), ('usage_region_day', 'month');

-- Region of the server that decided. Null: it has no region, or the row was recorded before this migration.
alter table events add column region text;
alter table decisions add column region text;
