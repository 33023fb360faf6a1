import { expect, inject } from 'vitest';
import { createChargeReader } from '../../../src/limiter/charge/create-charge-reader.js';
import type { LimitCharge } from '../../../src/limiter/charge/create-limit-compiler.js';
import type { Decision } from '../../../src/limiter/charge/decision.js';
import { createLimiter, createProtectionLimiter, type MonitoredLimiter } from '../../../src/limiter/create-limiter.js';
import { hashTag, keysFor } from '../../../src/limiter/redis/keys-for.js';
import { ACTION, SETTLEMENT } from '../../../src/limiter/redis/layout.js';
import { ACROSS_SLOTS, SCRIPTS } from '../../../src/limiter/redis/scripts.js';
import { PATIENT_MS } from '../../helpers/patient.js';
import { startProxiedCluster } from '../../helpers/proxied-cluster.js';
import { uniqueName } from '../../helpers/servers.js';
import { type CutPoint, type Fault, startTcpProxy } from '../../helpers/tcp-proxy.js';
import { until } from '../../helpers/until.js';

/** A Redis behind proxies that can cut connections, and the URL that bypasses the proxies. */
export interface CutTarget {
  url: string;
  directUrl: string;
  /** Returns the node that stores the keys with this hash tag. Absent if there is only one node. */
  nodeOf?(tag: string): unknown;
  setAll(fault: Fault): Promise<void>;
  stop(): Promise<void>;
}

/** Functions that start each kind of target, by name. */
export const TARGETS: Record<string, () => Promise<CutTarget>> = {
  async 'a Redis Cluster'() {
    const cluster = await startProxiedCluster();
    return { ...cluster, nodeOf: cluster.proxyOf, directUrl: cluster.url };
  },
  async 'a single Redis'() {
    const directUrl = inject('redisUrl');
    const proxy = await startTcpProxy(directUrl);
    return { url: proxy.url, directUrl, setAll: proxy.set, stop: proxy.close };
  },
};

const START = 1_700_000_000_000;
/** A time in milliseconds that is longer than the deadline of any pending charge. */
const PAST_EVERY_DEADLINE_MS = 60_000;
const OTHERS = 60;
const CHARGED = 100;
const ACTUAL = 40;

export const POINTS: readonly CutPoint[] = ['before', 'sent', 'reply'];

/** Bytes of the numbers of charges, of their limits, and of settlement items in a request. */
const HEAD_BYTES = 6;

const NAMES = new Map([
  ...Object.entries(SCRIPTS).map(([name, { sha }]) => [sha, name] as const),
  ...Object.entries(SCRIPTS).map(([name, script]) => [ACROSS_SLOTS.get(script)?.sha ?? '', name] as const),
]);

/**
 * Returns a label for a command: the name of its script, with the actions of a settlement. Commands
 * that the client itself sends have no label.
 */
function labelOf(command: readonly Buffer[]): string | undefined {
  if (String(command[0]).toLowerCase() !== 'evalsha') return undefined;
  const name = NAMES.get(String(command[1]));
  // A probe is a heartbeat with its own keys.
  if (name === 'heartbeat' && String(command[3]).includes(':probe:')) return 'probe';
  if (name !== 'charge') return name;
  const request = command[3 + Number(command[2])]!;
  // A call without charges ends with its settlement items.
  for (let count = 1; count * SETTLEMENT.bytes + HEAD_BYTES <= request.length; count++) {
    const start = request.length - count * SETTLEMENT.bytes - HEAD_BYTES;
    if (request.readUInt32LE(start) !== 0 || request.readUInt16LE(start + 4) !== count) continue;
    const actions = Array.from({ length: count }, (_, i) => request[start + HEAD_BYTES + i * SETTLEMENT.bytes]!);
    const names = Object.entries(ACTION).filter(([, action]) => actions.includes(action));
    return `settle: ${names.map(([action]) => action.toLowerCase()).join(', ')}`;
  }
  return name;
}

export interface Cut {
  /** Prefix of the labels of the commands to cut. */
  label: string;
  /**
   * Number of the matching command to cut, from 1. If `isEach` is set, all matching commands up to
   * this one are cut.
   */
  nth: number;
  isEach?: boolean;
  point: CutPoint;
}

/** Cuts matching commands on any connection. `seen` counts the commands by label. */
function cutAt(cut: Cut | undefined, seen: Map<string, number>): Fault {
  let matching = 0;
  return {
    kind: 'cut',
    at(command) {
      const label = labelOf(command);
      if (label === undefined) return undefined;
      seen.set(label, (seen.get(label) ?? 0) + 1);
      if (cut === undefined || !label.startsWith(cut.label)) return undefined;
      matching++;
      return matching === cut.nth || (cut.isEach && matching < cut.nth) ? cut.point : undefined;
    },
  };
}

/**
 * Calls `ask` with a limiter that bypasses the proxies. Meanwhile, the proxies forward everything.
 */
async function askExactly<T>(target: CutTarget, now: () => number, ask: (limiter: MonitoredLimiter) => Promise<T>) {
  await target.setAll({ kind: 'pass' });
  const limiter = createLimiter({ redis: target.directUrl, now, deadlineMs: PATIENT_MS });
  try {
    await connected(limiter);
    return await ask(limiter);
  } finally {
    await limiter.close();
  }
}

/**
 * Runs the scenario. First, a limiter without cuts charges 60 to each limit except the slot limit.
 * Then one operation is settled from 100 to 40, and a global limit denies another operation.
 */
export async function runWith(target: CutTarget, cut: Cut | undefined) {
  let now = START;
  const { name, subject, limits, full } = createCharges(target);
  const others = limits.map((limit) => ({ ...limit, cost: limit.id === 'slot' ? 0 : OTHERS }));
  const exactly = <T>(ask: (limiter: MonitoredLimiter) => Promise<T>) => askExactly(target, () => now, ask);
  const before = await exactly((limiter) => limiter.charge({ subject, limits: [...others, full] }));
  expect(before).toMatchObject({ admitted: true, degraded: false });

  const seen = new Map<string, number>();
  await target.setAll(cutAt(cut, seen));
  const limiter = createProtectionLimiter({ redis: target.url, now: () => now, deadlineMs: PATIENT_MS });
  await connected(limiter);
  const settled = await limiter.charge({ subject, limits });
  // Otherwise, a confirmation that is still waiting would be sent together with the settlement.
  await limiter.settlementsSent();
  // Waits for a new connection. A settlement on the cut connection would be lost, and the estimate
  // would remain.
  const isConnected = async () => !(await limiter.peek({ subject, limits })).decision.degraded;
  await until('each node answers', isConnected);
  if (settled.admitted) {
    await limiter.settle(settled.receipt, { user: ACTUAL, address: ACTUAL, [`${name}-global`]: ACTUAL });
    await limiter.release(settled.receipt);
  }
  const denied = await limiter.charge({ subject, limits: [...limits.slice(0, 2), full] });
  // The limiter releases slots as soon as Redis is connected again.
  await until('all slots are released', () => Promise.resolve(limiter.slotReleases().waiting === 0));
  await limiter.close();

  now += PAST_EVERY_DEADLINE_MS;
  const states = await exactly((one) => one.peek({ subject, limits }));
  const used = states.map((state) => state.used - OTHERS);
  return { seen, settled, denied, used: used.slice(0, 3), slots: states[3]!.used };
}

/**
 * Makes Redis unreachable until the circuit breaker is open. When Redis is back, the breaker sends
 * probes, and the nth probe is cut. Then one operation is settled from 100 to 40.
 */
export async function runWithProbe(target: CutTarget, cut: Omit<Cut, 'label'>) {
  const { name, subject, limits } = createCharges(target);
  const now = () => START;
  const seen = new Map<string, number>();
  await target.setAll({ kind: 'pass' });
  const limiter = createProtectionLimiter({ redis: target.url, now, deadlineMs: PATIENT_MS });
  await connected(limiter);
  const stateOf = () => limiter.health()[0]!.state;
  await target.setAll({ kind: 'refuse' });
  // A peek charges nothing, even if Redis is unavailable.
  await until('the breaker opens', async () => {
    await limiter.peek({ subject, limits });
    return stateOf() !== 'CLOSED';
  });
  await target.setAll(cutAt({ ...cut, label: 'probe' }, seen));
  await until('the breaker closes', () => stateOf() === 'CLOSED');
  const settled = await limiter.charge({ subject, limits });
  expect(settled).toMatchObject({ admitted: true, degraded: false });
  if (settled.admitted) {
    await limiter.settle(settled.receipt, { user: ACTUAL, address: ACTUAL, [`${name}-global`]: ACTUAL });
    await limiter.release(settled.receipt);
  }
  await limiter.close();
  const states = await askExactly(target, now, (one) => one.peek({ subject, limits }));
  const used = states.slice(0, 3).map((state) => state.used);
  return { probes: seen.get('probe') ?? 0, used, slots: states[3]!.used };
}

/**
 * Returns a caller and their limits. On a Cluster, the other limits are on other nodes than the
 * caller's own limit. With all limits on one node, nothing would be confirmed or cancelled.
 */
function createCharges({ nodeOf }: CutTarget) {
  for (;;) {
    const name = uniqueName('cut');
    const subject = { user: name, ip: name };
    const window = { algorithm: 'FIXED_WINDOW', amount: 1000, windowMs: 86_400_000, cost: CHARGED } as const;
    const limits: LimitCharge[] = [
      { ...window, id: 'user', scope: 'USER' },
      { ...window, id: 'address', scope: 'IP' },
      { ...window, id: `${name}-global`, scope: 'GLOBAL' },
      { id: 'slot', scope: 'USER', algorithm: 'CONCURRENCY', capacity: 5, leaseMs: 3_600_000, cost: 1 },
    ];
    const full: LimitCharge = { ...window, id: `${name}-full`, scope: 'GLOBAL', amount: CHARGED };
    const charges = { name, subject, limits, full };
    if (nodeOf === undefined) return charges;
    const { limits: read } = createChargeReader().read(subject, [limits[0]!, limits[1]!, full]);
    const [own, ...others] = read.map((limit) => nodeOf(hashTag(keysFor(subject)(limit))));
    if (!others.includes(own)) return charges;
  }
}

/**
 * Waits until the limiter is connected. On a busy machine this may take longer than `opened` waits.
 */
async function connected(limiter: MonitoredLimiter): Promise<void> {
  await limiter.opened;
  await until('Redis decides', () => Promise.resolve(limiter.health()[0]!.state === 'CLOSED'));
}

export async function expectSafe(target: CutTarget, cut: Cut): Promise<void> {
  const { settled, denied, used, slots } = await runWith(target, cut);
  const [low, high] = boundsOf(cut, settled, denied);
  for (const sum of used) {
    expect.soft(sum, JSON.stringify(cut)).toBeGreaterThanOrEqual(low);
    expect.soft(sum, JSON.stringify(cut)).toBeLessThanOrEqual(high);
  }
  expect.soft(slots, JSON.stringify(cut)).toBe(0);
}

/**
 * Returns the lowest and highest correct used amount. After a lost settlement, the estimate
 * remains. Redis may or may not have counted a degraded decision.
 */
function boundsOf(cut: Cut, settled: Decision, denied: Decision): [low: number, high: number] {
  const low = settled.degraded ? 0 : ACTUAL;
  const high = settled.degraded || cut.label.includes('correct') ? CHARGED : ACTUAL;
  return [low, high + (denied.degraded ? CHARGED : 0)];
}
