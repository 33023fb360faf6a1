import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '../../../src/postgres/db.js';
import { migrate } from '../../../src/postgres/migrate.js';
import { DATABASES, type TestDatabase } from '../../postgres/databases.js';

const HASH = 'a'.repeat(64);

describe.each(DATABASES)('the constraints of the rule tables on $database', ({ openDatabase }) => {
  let opened: TestDatabase;
  let db: Db;
  beforeAll(async () => {
    opened = await openDatabase();
    db = opened.db;
    await migrate(db);
    await insertRule({ name: 'base' });
    await db.query(`insert into admin_tokens (name, role, token_hash) values ('ann', 'ADMIN', '${HASH}')`);
  });
  afterAll(() => opened.dispose());

  function insert(table: string, row: Record<string, string | number | boolean | null>) {
    const names = Object.keys(row);
    const places = names.map((_, index) => `$${index + 1}`);
    return db.query(`insert into ${table} (${names.join(', ')}) values (${places.join(', ')})`, Object.values(row));
  }

  function insertRule(columns: Record<string, string | number>) {
    const rule = { name: 'other', mode: 'OFF', rollout_percent: 100, priority: 0, scope: 'USER', field: '*' };
    return insert('rules', { ...rule, measure: 'COST', action: 'REJECT', on_unavailable: 'LOCAL', ...columns });
  }

  it.each([
    ['rules_name', { name: '' }],
    ['rules_name', { name: 'tier:free' }],
    ['rules_name', { name: 'é' }],
    ['rules_name_unique', { name: 'base' }],
    ['rules_description', { description: '' }],
    ['rules_mode', { mode: 'ON' }],
    ['rules_rollout_percent', { rollout_percent: 100.5 }],
    ['rules_rollout_percent', { rollout_percent: 'NaN' }],
    ['rules_priority', { priority: -1 }],
    ['rules_match_operation_types', { match_operation_types: '{QUERY,READ}' }],
    ['rules_match_operation_names', { match_operation_names: '{""}' }],
    ['rules_match_clients', { match_clients: '{NULL}' }],
    ['rules_match_addresses', { match_addresses: '{""}' }],
    ['rules_match_callers', { match_callers: 'NOBODY' }],
    ['rules_match_credentials', { match_credentials: '{KEY,COOKIE}' }],
    ['rules_match_users', { match_users: '{""}' }],
    ['rules_match_tenants', { match_tenants: `{${'a'.repeat(513)}}` }],
    ['rules_match_keys', { match_keys: '{NULL}' }],
    ['rules_scope', { scope: 'EVERYBODY' }],
    ['rules_field', { field: 'Query..search' }],
    ['rules_field', { field: 'Query.sea*' }],
    ['rules_field', { field: 'Query.a,Query.b' }],
    ['rules_field', { field: 'Query.a, *' }],
    ['rules_measure', { measure: 'TIME' }],
    ['rules_action', { action: 'ALLOW' }],
    ['rules_delay_throttles', { action: 'THROTTLE' }],
    ['rules_delay_throttles', { max_delay_ms: 5 }],
    ['rules_max_delay_ms', { action: 'THROTTLE', max_delay_ms: 60_001 }],
    ['rules_on_unavailable', { on_unavailable: 'SHUT' }],
    ['rules_precision', { precision: 'ROUGH' }],
    ['rules_region_mode', { region_mode: 'LOOSE' }],
    ['rules_response_code', { response_code: 'low' }],
    ['rules_response_status', { response_status: 99 }],
    ['rules_schedule', { schedule: '{}' }],
    ['rules_schedule', { schedule: '{"timeZone":"UTC","from":"8:00","to":"18:00"}' }],
    ['rules_schedule', { schedule: '{"timeZone":"UTC","from":"08:00","to":"18:00","days":["DAY"]}' }],
    ['rules_version', { version: 0 }],
  ])('the constraint %s rejects the rule %j', async (constraint, columns) => {
    await expect(insertRule(columns)).rejects.toMatchObject({ constraint });
  });

  it('the table of rules rejects invalid addresses', async () => {
    await expect(insertRule({ match_addresses: '{10.0.0.300}' })).rejects.toMatchObject({ code: '22P02' });
  });

  const bucket = { algorithm: 'TOKEN_BUCKET', capacity: 1, refill_amount: 1, refill_period_ms: 1 };
  const window = { algorithm: 'SLIDING_WINDOW_COUNTER', amount: 1, window_ms: 1 };

  it.each([
    ['rule_limits_algorithm', { ...window, algorithm: 'GUESS' }],
    ['rule_limits_position', { ...window, position: 8 }],
    ['rule_limits_key', { ...window, key: 'a b' }],
    ['rule_limits_amount', { ...window, amount: 0 }],
    ['rule_limits_amount', { ...window, amount: 2 ** 31 }],
    ['rule_limits_window_ms', { ...window, window_ms: -1 }],
    ['rule_limits_capacity', { ...bucket, capacity: 0 }],
    ['rule_limits_refill_amount', { ...bucket, refill_amount: 0 }],
    ['rule_limits_refill_period_ms', { ...bucket, refill_period_ms: 2 ** 40 }],
    ['rule_limits_max_debt', { ...bucket, max_debt: -1 }],
    ['rule_limits_members', { ...bucket, amount: 5 }],
    ['rule_limits_members', { ...bucket, refill_amount: null }],
    ['rule_limits_members', { ...window, capacity: 5 }],
    ['rule_limits_members', { ...window, algorithm: 'FIXED_WINDOW', strict: true }],
    ['rule_limits_members', { algorithm: 'CONCURRENCY', capacity: 5 }],
    ['rule_limits_members', { algorithm: 'CALENDAR_WINDOW', amount: 5 }],
    ['rule_limits_members', { ...window, calendar: '{"every":"DAY"}' }],
    ['rule_limits_members', { ...window, algorithm: 'CALENDAR_WINDOW', calendar: '{"every":"DAY"}' }],
    ['rule_limits_calendar', { algorithm: 'CALENDAR_WINDOW', amount: 5, calendar: '{"timeZone":"UTC"}' }],
    ['rule_limits_amount', { algorithm: 'CALENDAR_WINDOW', amount: 2 ** 40, calendar: '{"every":"DAY"}' }],
    ['rule_limits_exact', { ...bucket, capacity: 2 ** 31 - 1, refill_period_ms: 2 ** 22 }],
    ['rule_limits_exact', { ...window, amount: 2 ** 31 - 1, window_ms: 2 ** 22 }],
    ['rule_limits_room', { ...window, algorithm: 'SLIDING_WINDOW_LOG', amount: 1001 }],
    ['rule_limits_room', { algorithm: 'CONCURRENCY', capacity: 10_001, lease_ms: 1 }],
    ['rule_limits_max_wait_ms', { algorithm: 'CONCURRENCY', capacity: 5, lease_ms: 1, max_wait_ms: 60_001 }],
    ['rule_limits_max_queue', { algorithm: 'CONCURRENCY', capacity: 5, lease_ms: 1, max_wait_ms: 1, max_queue: 0 }],
    ['rule_limits_queue', { algorithm: 'CONCURRENCY', capacity: 5, lease_ms: 1, max_queue: 5 }],
    ['rule_limits_queue', { ...window, max_wait_ms: 5 }],
    ['rule_limits_rule_id_fkey', { ...window, rule_id: 99 }],
  ])('the constraint %s rejects the limit %j', async (constraint, columns) => {
    await expect(insert('rule_limits', { rule_id: 1, position: 0, ...columns })).rejects.toMatchObject({ constraint });
  });

  it.each([
    ['rule_tiers_tier_fkey', `insert into rule_tiers (rule_id, tier) values (1, 'gold')`],
    [
      'admin_tokens_role',
      `insert into admin_tokens (name, role, token_hash) values ('bob', 'ROOT', '${'b'.repeat(64)}')`,
    ],
    ['admin_tokens_token_hash', `insert into admin_tokens (name, role, token_hash) values ('bob', 'ADMIN', 'secret')`],
    [
      'admin_tokens_name_unique',
      `insert into admin_tokens (name, role, token_hash) values ('ann', 'ADMIN', '${'c'.repeat(64)}')`,
    ],
    [
      'admin_tokens_token_hash_unique',
      `insert into admin_tokens (name, role, token_hash) values ('bob', 'ADMIN', '${HASH}')`,
    ],
    [
      'idempotency_keys_key',
      `insert into idempotency_keys (actor, key, request_hash, entity_key) values ('a', '', '${HASH}', '1')`,
    ],
    [
      'idempotency_keys_request_hash',
      `insert into idempotency_keys (actor, key, request_hash, entity_key) values ('a', 'k', 'x', '1')`,
    ],
  ])('the constraint %s rejects an invalid row', async (constraint, sql) => {
    await expect(db.query(sql)).rejects.toMatchObject({ constraint });
  });
});
