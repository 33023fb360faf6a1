import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPgliteDb } from '../../src/postgres/create-pglite-db.js';
import type { Db } from '../../src/postgres/db.js';
import { DECISION_FIELD_WIDTH } from '../../src/usage/record/usage-levels.js';
import { copyEmbeddedDatabase } from '../helpers/embedded-folder.js';
import { EMBEDDED_DATABASE } from '../helpers/embedded-platform.js';
import { type Answer, post, startPlatform } from '../helpers/platform.js';

const FREE = { 'x-api-key': 'demo-free' };
const PRO = { 'x-api-key': 'demo-pro' };

describe('stored usage of a platform that has stopped', () => {
  let folder: string;
  let db: Db;
  /** The costs in the responses, one entry per operation. */
  const costs: { denied: boolean; fee: number; requested: number; actual: number | null }[] = [];
  beforeAll(async () => {
    // This setup is slow, because it starts the embedded database twice.
    folder = mkdtempSync(join(tmpdir(), 'tollgate-usage-'));
    await copyEmbeddedDatabase(join(folder, EMBEDDED_DATABASE));
    const platform = await startPlatform({
      folder,
      env: {
        TOLLGATE_MAX_BATCH_SIZE: '5',
        TOLLGATE_EVENTS_PER_SECOND: '1000',
        TOLLGATE_CALLER_EVENTS_PER_MINUTE: '1000',
      },
    });
    const url = `${platform.url}/graphql`;
    const note = (answer: Pick<Answer, 'body'>) => {
      for (const one of [answer.body].flat()) {
        const { fee = 0, requestedQueryCost, actualQueryCost } = one.extensions.cost;
        const denied = ['THROTTLED', 'MAX_COST_EXCEEDED'].includes(one.errors?.[0]?.extensions?.code);
        costs.push({ denied, fee, requested: requestedQueryCost, actual: actualQueryCost });
      }
    };
    const named = (name: string) => `query ${name} { countries(first: 20) { name borders { name } } }`;
    for (let index = 0; index < 30; index++) note(await post(url, named('Borders'), index % 3 === 0 ? PRO : FREE));
    note(await post(url, '{ syntax error', PRO));
    note(await post(url, '{ noSuchField }', PRO));
    const batch = JSON.stringify([{ query: named('One') }, { query: '{ country(code: "SE") { name } }' }]);
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', connection: 'close', ...PRO },
      body: batch,
    });
    note({ body: await response.json() });
    expect(await platform.stop()).toBe(0);
    db = await createPgliteDb({ folder: join(folder, EMBEDDED_DATABASE) });
  });
  afterAll(async () => {
    await db?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('the stored usage equals the requests, costs and denials in the responses', async () => {
    const admitted = costs.filter(({ denied }) => !denied);
    const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);
    const expected = {
      requests: costs.length,
      denied: costs.length - admitted.length,
      estimated_cost: sum(admitted.map(({ fee, requested }) => fee || requested)),
      actual_cost: sum(admitted.map(({ fee, actual }) => fee || (actual ?? 0))),
      denied_cost: sum(costs.filter(({ denied }) => denied).map(({ requested }) => requested)),
    };
    expect(expected.denied).toBeGreaterThan(0);
    for (const level of ['minute', 'hour', 'day']) {
      const [stored] = await db.query(
        `select sum(requests)::integer as requests, sum(denied)::integer as denied,
          sum(estimated_cost)::integer as estimated_cost, sum(actual_cost)::integer as actual_cost,
          sum(denied_cost)::integer as denied_cost
        from usage_${level}`,
      );
      expect(stored).toEqual(expected);
    }
  });

  it('the stored usage names the operation and the tier, and counts requests that cost only the fee', async () => {
    const rows = await db.query<{ type: string; name: string; tier: string; requests: number }>(
      `select type, name, tier, sum(requests)::integer as requests
      from usage_operation_day join usage_operations on id = operation_id
      group by type, name, tier order by type, name, tier`,
    );
    expect(rows).toEqual([
      { type: 'QUERY', name: '', tier: 'pro', requests: 1 },
      { type: 'QUERY', name: 'Borders', tier: 'free', requests: 20 },
      { type: 'QUERY', name: 'Borders', tier: 'pro', requests: 10 },
      { type: 'QUERY', name: 'One', tier: 'pro', requests: 1 },
      { type: 'UNPRICED', name: '', tier: 'pro', requests: 2 },
    ]);
  });

  it('the stored usage has an event for each denial, with the numbers of the limit that denied it', async () => {
    const events = await db.query<{ kind: string; rule: string; charge: number; remaining: number }>(
      'select kind, rule, charge, remaining, retry_after_ms from events order by at',
    );
    const denied = costs.filter((one) => one.denied);
    expect(events.map(({ kind, charge }) => ({ kind, charge }))).toEqual(
      denied.map(({ requested }) => ({ kind: 'DENIED', charge: requested })),
    );
    for (const { rule, charge, remaining } of events) {
      expect(rule).toBe('tier:free');
      expect(remaining).toBeLessThan(charge);
    }
  });

  it('the stored usage has the actual calls of each root field', async () => {
    const fields = await db.query<Record<string, number | string>>(
      `select coordinate, sum(actual_calls)::integer as calls from usage_field_day join usage_fields on id = field_id
      where coordinate like 'Query.%' group by coordinate order by coordinate`,
    );
    const ran = costs.filter(({ denied, fee }) => !denied && fee === 0).length;
    expect(fields).toEqual([
      { coordinate: 'Query.countries', calls: ran - 1 },
      { coordinate: 'Query.country', calls: 1 },
    ]);
  });

  it('decisions are logged with the calls and the cost of a field, and with their batch', async () => {
    const decisions = await db.query<{ batch: number | null; estimated_cost: number; fields: number[] }>(
      `select batch, estimated_cost, fields from decisions where operation_name = 'One' or operation_name is null`,
    );
    expect(decisions).toHaveLength(2);
    expect(decisions[0]!.batch).not.toBeNull();
    expect(decisions[1]!.batch).toBe(decisions[0]!.batch);
    const [root] = await db.query<{ id: number }>(`select id from usage_fields where coordinate = 'Query.countries'`);
    const listing = decisions.find(({ estimated_cost }) => estimated_cost > 1)!;
    const at = listing.fields.indexOf(root!.id);
    expect(at % DECISION_FIELD_WIDTH).toBe(0);
    const [, calls, cost] = listing.fields.slice(at);
    expect([calls, cost]).toEqual([1, listing.estimated_cost]);
  });
});
