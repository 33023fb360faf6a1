import { chargeBehind } from '../../src/limiter/charge/charge-receipt.js';
import { createChargeReader } from '../../src/limiter/charge/create-charge-reader.js';
import type { LimitCharge } from '../../src/limiter/charge/create-limit-compiler.js';
import { createWorld, type Holder } from '../../test/limiter/lease/world.js';
import { createZipf } from './create-zipf.js';

/** A fleet of instances in several regions with one Redis, and its faults. Times are in seconds. */
export interface FleetScenario {
  users: number;
  zipf: number;
  instances: number;
  /** Travel time of a message to Redis, in milliseconds, by region. */
  latencyMs: readonly number[];
  rps: number;
  seconds: number;
  leaseMs: number;
  /** A leased limit that all users share: a window, which admits less than the traffic. */
  shared: { amount: number; windowMs: number };
  /** An exact limit of each user: a bucket. */
  bucket: { capacity: number; refillPerSecond: number };
  /** Redis fails over to a replica that has not received the last charges. */
  failover?: { atS: number; lostMs: number; awayMs: number };
  /** All instances of a region stop, and their traffic goes to the other regions. */
  regionLoss?: { atS: number; region: number };
  seed: number;
}

/** Numbers of one second. */
export interface Second {
  offered: number;
  admitted: number;
  /** Operations that a lease admitted without a call to Redis. */
  withoutCall: number;
  /** Operations denied by the bucket of their user. */
  overBucket: number;
  /** Tokens that all instances hold at the end of the second. */
  held: number;
}

interface Window {
  fromS: number;
  offered: number;
  admitted: number;
  /** Charges that Redis lost in this window. */
  lost: number;
  /** Largest number that the bound allows: the amount of the window, and the lost charges. */
  most: number;
}

export interface FleetResult {
  seconds: Second[];
  windows: Window[];
  /** Highest number of operations of one user, as a share of what their bucket allows. */
  highestUseOfBucket: number;
  /** Users with at least one operation, and all users. */
  users: number;
  allUsers: number;
}

const STEP_MS = 10;
/** Epoch time at the start, at which a window of up to a minute begins. */
const START_MS = 1_700_000_040_000;
const EVERYBODY = {};

/**
 * Simulates the fleet. The leases are the code of the limiter, on a simulated clock and network. The
 * buckets of users are exact, so they are computed when an operation arrives.
 */
export async function simulateFleet(scenario: FleetScenario): Promise<FleetResult> {
  const { users, zipf, instances, latencyMs, rps, leaseMs, shared, seed } = scenario;
  const { rank, below, random } = createZipf(users, zipf, seed);
  const regionOf = (instance: number) => instance % latencyMs.length;
  const world = createWorld({
    count: instances,
    leaseMs,
    after: 4,
    // Messages take up to a fifth longer than the fastest one.
    latencyMs: (holder) => latencyMs[regionOf(holder)]! * (1 + 0.2 * random()),
    startsAtMs: START_MS,
  });
  const limits: LimitCharge[] = [
    { id: 'shared', scope: 'GLOBAL', algorithm: 'FIXED_WINDOW', ...shared, cost: 1, precision: 'LEASED' },
  ];
  const { read } = createChargeReader();
  const [limit] = read(EVERYBODY, limits).limits;
  const buckets = createBuckets(users, scenario.bucket);
  const counts = countsOf(scenario);
  let alive = [...world.holders];
  const operate = (holder: Holder) => {
    const atMs = world.nowMs();
    const second = counts.secondAt(atMs);
    second.offered++;
    counts.windowAt(world.serverNow()).offered++;
    if (!buckets.charge(rank(), atMs)) {
      second.overBucket++;
      return;
    }
    const askedMs = world.serverNow();
    if (holder.chargeOne(EVERYBODY, limit!, 1) !== undefined) {
      second.withoutCall++;
      counts.admit(atMs, askedMs);
    } else if (!world.isServerAway) {
      void holder.charge(read(EVERYBODY, limits)).then((decision) => {
        if (!decision.admitted) return;
        const { leases, result } = chargeBehind(decision.receipt);
        // A leased token is spent when the operation arrives, others when Redis charges them.
        counts.admit(atMs, leases === undefined ? result.clock : askedMs);
      });
    }
  };
  let due = 0;
  for (let stepMs = 0; stepMs < scenario.seconds * 1000; stepMs += STEP_MS) {
    const { failover, regionLoss } = scenario;
    if (failover && stepMs === failover.atS * 1000) {
      counts.windowAt(START_MS + stepMs).lost += world.failOver(failover);
    }
    if (regionLoss && stepMs === regionLoss.atS * 1000) {
      for (const [instance, holder] of world.holders.entries()) {
        if (regionOf(instance) === regionLoss.region) holder.kill();
      }
      alive = alive.filter(({ isDead }) => !isDead);
    }
    for (due += (rps * STEP_MS) / 1000; due >= 1; due--) operate(alive[below(alive.length)]!);
    await world.advance(STEP_MS);
    if ((stepMs + STEP_MS) % 1000 === 0) {
      counts.secondAt(stepMs).held = alive.reduce((sum, holder) => sum + holder.held('shared'), 0);
    }
  }
  await world.settleDown();
  return counts.result(buckets);
}

/** Counts by second of arrival, and by window of the decision. */
function countsOf({ seconds, shared, users }: FleetScenario) {
  const bySecond = Array.from(
    { length: seconds },
    (): Second => ({
      offered: 0,
      admitted: 0,
      withoutCall: 0,
      overBucket: 0,
      held: 0,
    }),
  );
  const windows = Array.from(
    { length: Math.ceil((seconds * 1000) / shared.windowMs) + 1 },
    (_, index): Window => ({
      fromS: (index * shared.windowMs) / 1000,
      offered: 0,
      admitted: 0,
      lost: 0,
      most: shared.amount,
    }),
  );
  const secondAt = (atMs: number) => bySecond[Math.min(seconds - 1, Math.floor(atMs / 1000))]!;
  const windowAt = (serverMs: number) => windows[Math.floor((serverMs - START_MS) / shared.windowMs)]!;
  return {
    secondAt,
    windowAt,
    admit(atMs: number, spentAtMs: number) {
      secondAt(atMs).admitted++;
      windowAt(spentAtMs).admitted++;
    },
    result: (buckets: Buckets): FleetResult => ({
      seconds: bySecond,
      windows: windows
        .filter(({ offered }) => offered > 0)
        .map((window) => ({ ...window, most: shared.amount + window.lost })),
      highestUseOfBucket: buckets.highestUse(seconds),
      users: buckets.users(),
      allUsers: users,
    }),
  };
}

type Buckets = ReturnType<typeof createBuckets>;

/** Creates the buckets of all users, which are full at the start. */
function createBuckets(users: number, { capacity, refillPerSecond }: FleetScenario['bucket']) {
  const tokens = new Float64Array(users).fill(capacity);
  const filledAtMs = new Float64Array(users);
  const admitted = new Uint32Array(users);
  const seen = new Uint8Array(users);
  return {
    charge(user: number, nowMs: number): boolean {
      seen[user] = 1;
      const refilled = ((nowMs - filledAtMs[user]!) * refillPerSecond) / 1000;
      const now = Math.min(capacity, tokens[user]! + refilled);
      filledAtMs[user] = nowMs;
      const isAdmitted = now >= 1;
      tokens[user] = isAdmitted ? now - 1 : now;
      if (isAdmitted) admitted[user]!++;
      return isAdmitted;
    },
    users: () => seen.reduce((sum, one) => sum + one, 0),
    /** Returns the highest number of admitted operations of a user, as a share of the bound. */
    highestUse: (seconds: number) =>
      admitted.reduce((most, one) => Math.max(most, one), 0) / (capacity + refillPerSecond * seconds),
  };
}
