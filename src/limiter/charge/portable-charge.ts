import type { ChargeSubject } from '../../model/subject.js';
import type { Limit } from '../algorithms/limit-algorithm.js';
import { type ChargeReceipt, chargeBehind, chargedLimits } from './charge-receipt.js';
import type { ChargeRecord } from './checked-request.js';
import type { ChargeReader } from './create-charge-reader.js';
import type { LimitCharge } from './create-limit-compiler.js';
import type { Receipt } from './decision.js';
import { sourceOf } from './source-of.js';

/**
 * One admitted charge as JSON, with which another process that shares the Redis can settle it. The
 * names are short, because a receipt travels in a header.
 */
export interface PortableCharge {
  /** Name of the pool. */
  p: string;
  /** User, tenant, API key, address and billing anchor of the caller; null where there is none. */
  s: readonly (string | null)[];
  /** Parts of the charge: one, or two if leases covered only some of the limits. */
  c: readonly PortablePart[];
}

interface PortablePart {
  /** Charge id in base64. */
  i: string;
  /** Time of the charge on each limit, or one time for all, in epoch milliseconds. */
  t: readonly number[];
  /** Limits, each with the charged cost. */
  l: readonly LimitCharge[];
}

/**
 * Returns a charge in its portable form. Returns undefined for a charge in the memory of this
 * process, which no other process can settle.
 */
export function exportCharge(receipt: Receipt): PortableCharge | undefined {
  const charged = chargeBehind(receipt);
  if (charged.local || !chargedLimits(charged).every(isPortable)) return undefined;
  const {
    user = null,
    tenant = null,
    apiKey = null,
    ip = null,
    billingAnchor = null,
  } = charged.request.subject as ChargeSubject;
  const parts = [partOf(charged)];
  if (charged.unleased) parts.push(partOf(charged.unleased.receipt));
  return { p: charged.pool, s: [user, tenant, apiKey, ip, billingAnchor], c: parts };
}

function isPortable(limit: Limit): boolean {
  return sourceOf(limit) !== undefined;
}

function partOf({ request, chargeId, time, times }: ChargeRecord): PortablePart {
  return {
    i: Buffer.from(chargeId, 'latin1').toString('base64'),
    t: times ? times.map(({ now }) => now) : [time.now],
    l: request.limits.map((limit, index) => ({ ...definitionOf(limit), cost: request.costs[index]! })),
  };
}

const definitions = new WeakMap<Limit, LimitCharge>();

/** Returns the members of a limit that a settlement needs. */
export function definitionOf(limit: Limit): LimitCharge {
  let definition = definitions.get(limit);
  if (definition === undefined) {
    const source = sourceOf(limit) as LimitCharge;
    const { rank: _rank, precision: _precision, onUnavailable: _onUnavailable, maxDelayMs: _delay, ...rest } = source;
    const { regionMode, ...needed } = rest;
    definition = regionMode === undefined || regionMode === 'CENTRAL' ? needed : rest;
    definitions.set(limit, definition);
  }
  return definition;
}

/** Returns the receipts of a portable charge, one for each of its parts. */
export function importCharge({ p, s, c }: PortableCharge, read: ChargeReader['read']): Receipt[] {
  const [user, tenant, apiKey, ip, billingAnchor] = s.map((name) => name ?? undefined);
  const subject: ChargeSubject = { user, tenant, apiKey, ip, billingAnchor };
  return c.map(({ i, t, l }) => {
    // An absent mode is that of a whole limit, whatever the default of this process is.
    const request = read(
      subject,
      l.map((limit) => ({ ...limit, regionMode: limit.regionMode ?? 'CENTRAL' })),
    );
    const times = t.map((now) => ({ clock: now, now }));
    const record: ChargeRecord = {
      request,
      chargeId: Buffer.from(i, 'base64').toString('latin1'),
      time: times[0]!,
      times: times.length > 1 ? times : undefined,
    };
    // A settlement reads neither `asked` nor `result`, which describe the response to the charge.
    const result = { admitted: true, clock: times[0]!.clock, now: times[0]!.now, numbers: [], times: record.times };
    const state = { asked: request, result, pool: p, local: false, settled: false, released: false };
    return { ...record, ...state } as unknown as ChargeReceipt;
  });
}
