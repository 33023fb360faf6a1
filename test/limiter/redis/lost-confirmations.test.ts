import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CutTarget, expectSafe, POINTS, runWith, TARGETS } from './cut-scenario.js';

let cluster: CutTarget;
beforeAll(async () => {
  cluster = await TARGETS['a Redis Cluster']!();
});
afterAll(() => cluster?.stop());

test.each(
  POINTS,
)('an operation is refunded once when the connection is cut at its confirmation (%s)', async (point) => {
  const { seen, used } = await runWith(cluster, { label: 'settle: confirm', nth: 1, point });
  expect(used).toEqual([40, 40, 40]);
  expect([...seen.keys()]).toContain('settle: confirm');
});

test('all used amounts stay exact when a confirmation is cut several times in a row', async () => {
  for (const point of POINTS) await expectSafe(cluster, { label: 'settle: confirm', nth: 3, isEach: true, point });
});
