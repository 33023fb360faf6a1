import { describe, expect, it } from 'vitest';
import { fleetPicture } from '../../bench/capacity/fleet-picture.js';
import { type FleetScenario, simulateFleet } from '../../bench/capacity/simulate-fleet.js';
import { simulateUsage } from '../../bench/capacity/simulate-usage.js';
import { expectedRows } from '../../src/capacity/expected-rows.js';

const SCENARIO: FleetScenario = {
  users: 5_000,
  zipf: 1,
  instances: 24,
  latencyMs: [1, 40, 75],
  rps: 3_000,
  seconds: 12,
  leaseMs: 500,
  shared: { amount: 4_000, windowMs: 2_000 },
  bucket: { capacity: 100, refillPerSecond: 50 },
  failover: { atS: 5, lostMs: 500, awayMs: 1_000 },
  regionLoss: { atS: 9, region: 2 },
  seed: 3,
};

describe('the simulation of a fleet', () => {
  it('admits no more than each window and the charges that a failover loses, also after the loss of a region', async () => {
    const { windows, seconds, highestUseOfBucket } = await simulateFleet(SCENARIO);
    expect(windows).toHaveLength(6);
    for (const { admitted, most } of windows) expect(admitted).toBeLessThanOrEqual(most);
    expect(highestUseOfBucket).toBeLessThanOrEqual(1);
    const sum = (of: keyof (typeof seconds)[number]) => seconds.reduce((all, second) => all + second[of], 0);
    // The load is not trivial: leases decide most operations, and both limits deny some.
    expect(sum('withoutCall')).toBeGreaterThan(sum('admitted') / 2);
    expect(sum('overBucket')).toBeGreaterThan(0);
    expect(sum('admitted')).toBeLessThan(sum('offered') - sum('overBucket'));
    expect(windows.reduce((all, { lost }) => all + lost, 0)).toBeGreaterThan(0);
  });

  it('uses most of each window while no fault occurs', async () => {
    const { failover: _failover, regionLoss: _regionLoss, ...healthy } = SCENARIO;
    const { windows } = await simulateFleet({ ...healthy, seconds: 6 });
    for (const { admitted, offered, most } of windows) {
      expect(offered).toBeGreaterThan(most);
      expect(admitted).toBeGreaterThan(0.9 * most);
    }
  });

  it('returns the same numbers and the same picture for the same seed', async () => {
    const short = { ...SCENARIO, seconds: 4 };
    const [one, same, other] = [
      await simulateFleet(short),
      await simulateFleet(short),
      await simulateFleet({ ...short, seed: 4 }),
    ];
    expect(same).toEqual(one);
    expect(fleetPicture(short, same)).toBe(fleetPicture(short, one));
    expect(other).not.toEqual(one);
  });
});

it('the simulation of recorded usage agrees with the formulas within two per cent', () => {
  const load = { users: 50_000, zipf: 1, instances: 10, rps: 4_000, seconds: 30, flushMs: 1_000, seed: 5 };
  const simulated = simulateUsage(load);
  const traffic = { callers: load.users, exponent: load.zipf };
  const batches = load.instances * load.seconds;
  const operations = load.rps * load.seconds;
  const entries = batches * expectedRows(traffic, { operations: operations / batches });
  expect(Math.abs(simulated.callers / expectedRows(traffic, { operations }) - 1)).toBeLessThan(0.02);
  expect(Math.abs(simulated.entries / entries - 1)).toBeLessThan(0.02);
});
