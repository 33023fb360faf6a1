import { buildSchema } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTollgate } from '../../src/tollgate/create-tollgate.js';
import { openServerDatabase, type TestDatabase } from '../postgres/databases.js';

const QUIET = { info() {}, warn() {}, error() {} };

describe('tiers in code', () => {
  const tier = { name: 'free', capacity: 100, refillAmount: 10, isDefault: true };
  let own: TestDatabase;
  beforeAll(async () => {
    own = await openServerDatabase();
  });
  afterAll(() => own.dispose());

  /**
   * Starts Tollgate with these tiers. Returns the log lines about tiers, and the capacity that is
   * in force.
   */
  async function startWith(tiers: (typeof tier)[]) {
    const lines: string[] = [];
    const info = (first: unknown, second?: string) => void lines.push(second ?? String(first));
    const schema = buildSchema('type Query { search: Int }');
    const started = await createTollgate({ schema, postgres: own.db, tiers, logger: { ...QUIET, info } });
    const [state] = await started.quota({ user: 'ann' });
    await started.close();
    return { capacity: state!.remaining, lines: lines.filter((line) => line.startsWith('tier ')) };
  }

  it('the first start stores the tiers in code, and a later start logs that different stored values stay in force', async () => {
    const monthlyPrice = { amountMinor: 4900, currency: 'USD' };
    const full = { ...tier, displayName: 'Free', monthlyPrice, maxCostPerOperation: 50, answer: 'FULL' as const };
    expect(await startWith([full])).toEqual({ capacity: 100, lines: [] });
    expect(await startWith([full])).toEqual({ capacity: 100, lines: [] });
    expect(await startWith([{ ...full, capacity: 1000 }])).toEqual({
      capacity: 100,
      lines: [
        'tier "free" differs from its declaration in code: capacity is 100 (in code: 1000). The stored values are in force; change them through the admin API',
      ],
    });
  });
});
