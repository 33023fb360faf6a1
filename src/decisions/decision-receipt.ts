import { randomBytes } from 'node:crypto';
import type { Receipt } from '../limiter/charge/decision.js';
import type { PortableCharge } from '../limiter/charge/portable-charge.js';
import type { ProtectionLimiter } from '../limiter/create-limiter.js';
import { MAX_COST } from '../model/limit-parameters.js';
import type { Operation } from '../protection/operation.js';

/**
 * Content of a receipt. The names are short, because a receipt travels in a header. The signature
 * of the receipt guarantees that the content is unchanged.
 */
export interface DecisionReceipt {
  /** Id of the decision. */
  i: string;
  /** Time at which the receipt expires, in epoch milliseconds. */
  e: number;
  /** Estimated cost in tokens. */
  q: number;
  /** Integration that asked for the decision. */
  n: string;
  /** The charge. Absent if only the process that made it can settle it. */
  x?: PortableCharge | undefined;
  /** Limits on tokens, by id: `W` for those of whole operations, `F` for those of some fields. */
  k?: Readonly<Record<string, 'W' | 'F'>> | undefined;
}

const PROCESS = randomBytes(9).toString('base64url');
let count = 0;

/** Returns the content of the receipt of an admitted operation. */
export function receiptOf(operation: Operation, receipt: Receipt, limiter: ProtectionLimiter, expiresAtMs: number) {
  const content: DecisionReceipt = {
    i: `${PROCESS}${(count++).toString(36)}`,
    e: expiresAtMs,
    q: operation.requestedCost,
    n: operation.askedBy!.integration,
  };
  const charge = limiter.exportCharge(receipt);
  if (charge === undefined) return content;
  const kinds: Record<string, 'W' | 'F'> = Object.create(null);
  for (const { id, measure, pattern, parameters } of operation.bound.limits) {
    if (measure === 'COST' && parameters.algorithm !== 'CONCURRENCY') kinds[id] = pattern.wholeOperation ? 'W' : 'F';
  }
  return { ...content, x: charge, k: kinds };
}

/**
 * Returns the actual charges of an exported charge by limit id, for an actual cost that another
 * server reported. It equals `reportedCosts` for the operation itself.
 */
export function actualOf({ x, k = {} }: DecisionReceipt, cost: number): Record<string, number> {
  const actual: Record<string, number> = Object.create(null);
  for (const { id, cost: charged, algorithm } of x?.c.flatMap(({ l }) => l) ?? []) {
    const kind = Object.hasOwn(k, id) ? k[id] : undefined;
    if (algorithm === 'CONCURRENCY') actual[id] ??= charged;
    else if (kind !== undefined) actual[id] = kind === 'W' ? Math.min(MAX_COST, cost) : Math.min(cost, charged);
  }
  return actual;
}

/** Id of the counter that admits the first settlement of a receipt. */
const CLAIM = 'tollgate-receipt';

/**
 * Claims the settlement of a receipt for this process. The claim is a concurrency slot in Redis that
 * ends after the receipt has expired. Redis admits only the first claim. If a failover loses the
 * slot, another instance can claim the receipt again, and refund its charge once more.
 */
export async function claimSettlement(
  limiter: ProtectionLimiter,
  { i, e, x }: DecisionReceipt,
  nowMs: number,
): Promise<'CLAIMED' | 'ALREADY_SETTLED' | 'UNAVAILABLE'> {
  const decision = await limiter.charge({
    subject: { user: `receipt ${i}` },
    pool: x?.p,
    limits: [
      {
        id: CLAIM,
        scope: 'USER',
        algorithm: 'CONCURRENCY',
        capacity: 1,
        // Rounded up, because the limiter compiles and caches each distinct value.
        leaseMs: Math.ceil(Math.max(1, e - nowMs + CLOCK_SLACK_MS) / LEASE_STEP_MS) * LEASE_STEP_MS,
        cost: 1,
        onUnavailable: 'CLOSED',
      },
    ],
  });
  if (decision.admitted) return 'CLAIMED';
  return decision.code === 'THROTTLED' ? 'ALREADY_SETTLED' : 'UNAVAILABLE';
}

/** Maximum difference between the clocks of two instances, in milliseconds. */
const CLOCK_SLACK_MS = 5000;
const LEASE_STEP_MS = 5000;
