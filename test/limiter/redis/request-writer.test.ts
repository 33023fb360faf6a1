import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Limit } from '../../../src/limiter/algorithms/limit-algorithm.js';
import { type CheckedRequest, selectAt } from '../../../src/limiter/charge/checked-request.js';
import { createChargeReader } from '../../../src/limiter/charge/create-charge-reader.js';
import type { LimitCharge } from '../../../src/limiter/charge/create-limit-compiler.js';
import { keysFor } from '../../../src/limiter/redis/keys-for.js';
import { RequestWriter } from '../../../src/limiter/redis/request-writer.js';
import type { ScriptCall } from '../../../src/limiter/redis/write-call.js';
import type { Scope } from '../../../src/model/subject.js';

const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);
const NOW = 1_700_000_000_000;
const SCOPES: readonly Scope[] = ['USER', 'API_KEY', 'TENANT', 'IP', 'GLOBAL', 'USER_AND_IP'];
const KINDS: readonly Partial<LimitCharge>[] = [
  { algorithm: 'TOKEN_BUCKET', capacity: 100, refillAmount: 3, refillPeriodMs: 1000, maxDebt: 5 },
  { algorithm: 'LEAKY_BUCKET', capacity: 50, refillAmount: 3, refillPeriodMs: 86_400_000, maxDelayMs: 300 },
  { algorithm: 'FIXED_WINDOW', amount: 50, windowMs: 60_000, countDenied: true },
  { algorithm: 'SLIDING_WINDOW_COUNTER', amount: 50, windowMs: 60_000, strict: true, mode: 'SHADOW' },
  { algorithm: 'CONCURRENCY', capacity: 10, leaseMs: 1000 },
];

/**
 * Limits of three kinds: more counters of users than fit into a partition, a few of each other
 * scope, and variants of some that cannot be in the same call.
 */
const LIMITS = Array.from({ length: 110 }, (_, i): LimitCharge => {
  const number = i < 100 ? i : i - 100;
  const kind = { ...KINDS[number % KINDS.length]! };
  if (i >= 100) kind.mode = kind.mode === 'SHADOW' ? 'ENFORCE' : 'SHADOW';
  const scope = number % 3 === 0 ? SCOPES[(number / 3) % SCOPES.length]! : 'USER';
  return { id: `limit ${number}`, scope, cost: 0, ...kind } as LimitCharge;
});

const few = fc.uniqueArray(fc.nat(LIMITS.length - 1), { maxLength: 5, selector: (i) => i % 100 });
const many = fc.uniqueArray(fc.nat(LIMITS.length - 1), { maxLength: 60, size: 'max', selector: (i) => i % 100 });
const subject = fc.record(
  { user: fc.constantFrom('ann', 'bob'), tenant: fc.constantFrom('one', 'two'), apiKey: fc.constantFrom('k', 'l') },
  { requiredKeys: ['user'] },
);
/**
 * Calls that mostly use one of a few sets of limits completely. `part` omits the first limit of the
 * set.
 */
const calls = fc.record({
  sets: fc.array(fc.oneof({ weight: 5, arbitrary: few }, many), { minLength: 1, maxLength: 3 }),
  charges: fc.array(
    fc.record({
      set: fc.nat(2),
      subject,
      ip: fc.constantFrom('10.0.0.1', '10.0.0.2'),
      cost: fc.nat(9),
      part: fc.nat(7).map((n) => n === 0),
    }),
    { minLength: 1, maxLength: 12, size: 'max' },
  ),
});

interface Written {
  readonly key: string;
  readonly definition: string;
  readonly numbers: readonly number[];
}

/**
 * Returns a limit as the bytes that lua/read-request.lua expects, in hexadecimal. The code does not
 * use the names and types of layout.ts.
 */
function bytesOf(limit: Limit): string {
  const bytes = Buffer.alloc(40);
  bytes.set([limit.shape, +limit.leaky, +limit.hasSlots, +limit.shadow, +limit.countDenied]);
  bytes.write(limit.identity.recordId, 5, 'latin1');
  bytes.writeUIntLE(limit.capacity, 11, 6);
  bytes.writeUIntLE(limit.windowMs || limit.refillAmount, 18, 5);
  bytes.writeUIntLE(limit.refillPeriodMs, 23, 5);
  bytes.writeUIntLE(limit.maxDebt, 28, 6);
  bytes.writeUIntLE(limit.maxDelayMs, 35, 5);
  return bytes.toString('hex');
}

/**
 * Decodes a call as the scripts do. Returns the counters by number and functions that read the
 * bytes after them.
 */
function decode({ keys, request }: ScriptCall) {
  let at = 0;
  const number = (bytes: number) => {
    at += bytes;
    return request.readUIntLE(at - bytes, bytes);
  };
  const list = <Item>(length: number, read: () => Item) => Array.from({ length }, read);
  const text = (encoding: 'hex' | 'latin1', bytes: number) => {
    at += bytes;
    return request.toString(encoding, at - bytes, at);
  };
  const definitions = list(number(2), () => text('hex', 40));
  const groups = list(number(2), () => list(number(1), () => number(2)));
  const counters = keys.flatMap((key) =>
    groups[number(2) - 1]!.map((one) => ({ key, definition: definitions[one - 1]! })),
  );
  expect(new Set(keys).size).toBe(keys.length);
  expect(new Set(definitions).size).toBe(definitions.length);
  expect(new Set(groups.map(String)).size).toBe(groups.length);
  for (const group of groups) expect(group.length).toBeLessThanOrEqual(64);
  return { counters, number, list, text, isAtEnd: () => at === request.length };
}

/** Decodes the settlement items and the charges of a call. */
function itemsIn(call: ScriptCall) {
  const { counters, number, list, text, isAtEnd } = decode(call);
  const [count, total, items] = [number(2), number(2), number(2)];
  const settlements = list(items, () => {
    const action = number(1);
    const written: Written = { ...counters[number(2) - 1]!, numbers: [number(4), number(4), number(6)] };
    return { action, ...written, chargeId: text('latin1', 6) };
  });
  const sizes = list(count, () => number(1));
  const pendings = list(count, () => number(4));
  const all = list(total, (): Written => ({ ...counters[number(2) - 1]!, numbers: [number(4)] }));
  const unnamed = sizes.map((size, i) => ({ pendingMs: pendings[i], limits: all.splice(0, size) }));
  const charges = unnamed.map((one) => ({ ...one, chargeId: text('latin1', 6) }));
  expect([all, isAtEnd()]).toEqual([[], true]);
  return { settlements, charges };
}

/**
 * Adds the limits of the request to `offered`, by key. Returns whether one call cannot contain all
 * offered limits, because there are two variants of a limit or too many limits.
 */
function hasNoPlace(offered: Map<string, Set<Limit>>, { limits, subject: caller }: CheckedRequest): boolean {
  const keyOf = keysFor(caller);
  for (const limit of limits) {
    const key = keyOf(limit);
    offered.set(key, (offered.get(key) ?? new Set<Limit>()).add(limit));
  }
  return [...offered.values()].some((of) => {
    const ids = new Set([...of].map(({ identity }) => identity.recordId));
    return ids.size < of.size || of.size > 64;
  });
}

type Calls = typeof calls extends fc.Arbitrary<infer Value> ? Value : never;

function requestsOf({ sets, charges }: Calls, read: ReturnType<typeof createChargeReader>['read']) {
  return charges.map(({ set, subject: caller, ip, cost, part }, number) => {
    const limits = sets[set % sets.length]!.map((i, at) => ({ ...LIMITS[i]!, cost: (cost + at) % 10 }));
    const whole = read({ ...caller, ip }, limits);
    const request = part && whole.limits.length > 1 ? selectAt(whole, [...whole.limits.keys()].slice(1)) : whole;
    return { request, chargeId: `é\0${String(number).padStart(4, '0')}` };
  });
}

describe(`bytes of a call to Redis (SEED=${seed})`, () => {
  /** Adds a request to a call as a settlement. Returns the items to expect; undefined if it has no place. */
  function settle(writer: RequestWriter, { request, chargeId }: ReturnType<typeof requestsOf>[number], number: number) {
    const charge = { request, chargeId, time: { clock: NOW, now: NOW + number }, times: undefined };
    const { limits, costs } = request;
    const keyOf = keysFor(request.subject);
    const actual = Object.fromEntries(limits.map(({ id }, i) => [id, (costs[i]! + i) % 10]));
    const action = number % 4;
    const isAdded = [
      () => writer.addCorrection(charge, actual, keyOf),
      () => writer.addEnd(charge, action, keyOf),
      () => writer.addEnd(charge, action, keyOf),
      () => writer.addReset(request, keyOf),
    ][action]!();
    if (!isAdded) return undefined;
    return limits.flatMap((limit, i) => {
      const spent = action === 0 ? actual[limit.id]! : 0;
      if (action === 0 && spent === costs[i] && !limit.hasSlots) return [];
      if ((action === 1 || action === 2) && costs[i] === 0) return [];
      const at = action === 3 ? { id: '\0'.repeat(6), ms: 0 } : { id: chargeId, ms: NOW + number };
      const numbers = [costs[i]!, spent, at.ms];
      return [{ action, key: keyOf(limit), definition: bytesOf(limit), numbers, chargeId: at.id }];
    });
  }

  test('a call contains the settlements added first, and the limits, keys and costs of each charge', () => {
    const { read } = createChargeReader();
    fc.assert(
      fc.property(calls, fc.nat(4), (of, settled) => {
        const writer = new RequestWriter();
        const offered = new Map<string, Set<Limit>>();
        const charges: unknown[] = [];
        const settlements: unknown[] = [];
        for (const [number, one] of requestsOf(of, read).entries()) {
          const { request, chargeId } = one;
          const keyOf = keysFor(request.subject);
          const mayBeRejected = hasNoPlace(offered, request);
          if (number < settled) {
            settlements.push(...(settle(writer, one, number) ?? []));
            continue;
          }
          const pendingMs = number * 1000;
          if (!writer.addCharge(request, chargeId, pendingMs, keyOf)) {
            expect(mayBeRejected).toBe(true);
            continue;
          }
          const limits = request.limits.map(
            (limit, i): Written => ({ key: keyOf(limit), definition: bytesOf(limit), numbers: [request.costs[i]!] }),
          );
          charges.push({ pendingMs, limits, chargeId });
        }
        expect(writer.count()).toBe(settlements.length + charges.length);
        expect(itemsIn(writer.finish())).toEqual({ settlements, charges });
      }),
      { numRuns: 2000, seed },
    );
  });

  test('a call without charges contains each limit to be corrected, confirmed or emptied, with its amounts', () => {
    const { read } = createChargeReader();
    fc.assert(
      fc.property(calls, (of) => {
        const writer = new RequestWriter();
        const settlements = requestsOf(of, read).flatMap((one, number) => settle(writer, one, number) ?? []);
        if (settlements.length > 0) expect(itemsIn(writer.finish())).toEqual({ settlements, charges: [] });
      }),
      { numRuns: 1000, seed },
    );
  });

  test('a correction of one limit names all limits of its charge in the same partition, so that one call reads them', () => {
    const { read } = createChargeReader();
    const limits = [LIMITS[1]!, LIMITS[2]!, LIMITS[7]!].map((limit) => ({ ...limit, cost: 5 }));
    const request = read({ user: 'ann' }, limits);
    const writer = new RequestWriter();
    const charge = { request, chargeId: 'charge', time: { clock: NOW, now: NOW }, times: undefined };
    expect(writer.addCorrection(charge, { [limits[1]!.id]: 3 }, keysFor(request.subject))).toBe(true);
    const call = writer.finish();
    expect(decode(call).counters.map(({ definition }) => definition)).toEqual(request.limits.map(bytesOf));
    expect(itemsIn(call).settlements).toHaveLength(1);
  });
});
