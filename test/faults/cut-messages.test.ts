import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CutTarget, expectSafe, POINTS, runWith, TARGETS } from '../limiter/redis/cut-scenario.js';

describe.each(Object.entries(TARGETS))('on %s', (where, start) => {
  let target: CutTarget;
  beforeAll(async () => {
    target = await start();
  });
  afterAll(() => target?.stop());

  test('every sum is exact, or too high by what was not settled, wherever a connection is cut', async () => {
    const { seen, used, slots, denied } = await runWith(target, undefined);
    expect(used).toEqual([40, 40, 40]);
    expect(slots).toBe(0);
    expect(denied).toMatchObject({ admitted: false, degraded: false });
    const ofBoth = ['heartbeat', 'charge', 'settle: correct'];
    const ofCluster = ['settle: confirm', 'settle: cancel'];
    const expected = where === 'a Redis Cluster' ? [...ofBoth, ...ofCluster] : ofBoth;
    expect([...seen.keys()]).toEqual(expect.arrayContaining(expected));
    for (const [label, count] of seen) {
      for (let nth = 1; nth <= count; nth++)
        for (const point of POINTS) await expectSafe(target, { label, nth, point });
    }
  });
});
