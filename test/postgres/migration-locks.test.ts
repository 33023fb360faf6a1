import { expect, it } from 'vitest';
import { readMigrationFiles } from '../../src/postgres/migrate.js';
import { findLockingStatements } from './find-locking-statements.js';

it('no migration blocks writers of a table that may be large', () => {
  const found = readMigrationFiles().flatMap(({ name, sql }) =>
    findLockingStatements(sql).map((problem) => `${name}: ${problem}`),
  );
  expect(found).toEqual([]);
});

it.each([
  'create index on events (rule, at)',
  'create unique index one on events (id)',
  'drop index events_rule_at_idx',
  'alter table events add constraint one check (at is not null)',
  'alter table events add constraint one foreign key (rule) references rules (name)',
  'alter table events add constraint one unique (id)',
  'alter table events alter column rule set not null',
  'alter table events\n  alter column rule type varchar(20)',
  "alter table events add column one text check (one <> '')",
  'alter table events add column one uuid default gen_random_uuid()',
  'vacuum full events',
  'lock table events',
])('findLockingStatements reports "%s"', (statement) => {
  expect(findLockingStatements(`select 1; ${statement};`)).toHaveLength(1);
});

it.each([
  'create table one (id integer); create index on one (id)',
  'create index concurrently events_rule_idx on events (rule)',
  'alter table events add constraint one check (at is not null) not valid',
  'alter table events add column one text',
  "alter table events add column one text not null default 'x'",
  'alter table rules add constraint one check (id > 0)',
  '-- create index on events (rule)',
])('findLockingStatements accepts "%s"', (statement) => {
  expect(findLockingStatements(statement)).toEqual([]);
});
