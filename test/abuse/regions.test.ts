import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RegionMode } from '../../src/model/region-mode.js';
import { PATIENT_MS } from '../helpers/patient.js';
import { startRedisServer, type TestServer } from '../helpers/servers.js';
import { protectedApi } from '../helpers/testkit.js';
import { until } from '../helpers/until.js';
import { countCases } from './serve.js';

const AMOUNT = 10;
const LONG_MS = 86_400_000_000;

describe('two regions with a Redis each', () => {
  let redis: { eu: TestServer; us: TestServer };
  beforeAll(async () => {
    redis = { eu: await startRedisServer(), us: await startRedisServer() };
  });
  afterAll(() => Promise.all(Object.values(redis).map((server) => server.stop())));

  function openRegion(name: 'eu' | 'us') {
    const other = name === 'eu' ? 'us' : 'eu';
    const rule = (field: string, regionMode: RegionMode) => ({
      ...{ name: regionMode, scope: 'USER' as const, field, measure: 'CALLS' as const, regionMode },
      limits: [{ algorithm: 'FIXED_WINDOW' as const, amount: AMOUNT, windowMs: LONG_MS }],
    });
    return protectedApi({
      redis: redis[name].url,
      region: { name, shares: { eu: 50, us: 50 }, redis: { [other]: redis[other].url }, exchangeMs: 200 },
      deadlineMs: PATIENT_MS,
      fee: 0,
      tier: { capacity: 10_000 },
      rules: [rule('Query.item', 'SPLIT'), rule('Query.search', 'WATCH')],
    });
  }

  it('A55: a caller who hops between regions gets a split limit once, and a watched limit at most once per region', async (context) => {
    const [eu, us] = [await openRegion('eu'), await openRegion('us')];
    /** Sends one operation to each region. Returns the number of admitted ones. */
    async function hop(query: string, as = 'hopping'): Promise<number> {
      const answers = await Promise.all([eu, us].map((region) => region.ask(query, { as })));
      for (const { status } of answers) expect([200, 429]).toContain(status);
      return answers.filter(({ status }) => status === 200).length;
    }
    let split = 0;
    for (let i = 0; i < 3 * AMOUNT; i++) split += await hop('{ item { name } }');
    expect(split).toBe(AMOUNT);
    let watched = 0;
    await until('both regions deny the caller', async () => {
      const admitted = await hop('{ search(text: "") { name } }');
      watched += admitted;
      return admitted === 0;
    });
    expect(watched).toBeGreaterThanOrEqual(AMOUNT);
    expect(watched).toBeLessThanOrEqual(2 * AMOUNT);
    // Denials take nothing back, and other callers keep their limits in both regions.
    for (let i = 0; i < AMOUNT; i++) expect(await hop('{ search(text: "") { name } }')).toBe(0);
    expect(await hop('{ item { name } }', 'other')).toBe(2);
    expect(await hop('{ search(text: "") { name } }', 'other')).toBe(2);
    countCases(context, 2 * (3 * AMOUNT + AMOUNT) + watched);
  });
});
