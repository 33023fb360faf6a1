import type { LimitCharge } from '../limiter/charge/create-limit-compiler.js';
import type { Decision } from '../limiter/charge/decision.js';
import type { Limiter } from '../limiter/create-limiter.js';
import { MAX_COST } from '../model/limit-parameters.js';
import type { Subject } from '../model/subject.js';
import type { MatchedPool } from '../rules/matching/pool-finder.js';
import type { BoundLimit } from '../rules/matching/ruleset.js';
import { isSlotLimit } from './answer/is-slot-limit.js';
import { isTooLarge, withoutExcessShadows } from './charge-binder.js';
import { type RequestedAmounts, sumOfAmounts } from './requested-amounts.js';

/** What operations are to be charged together. Limits and charges stand in one order. */
export interface Purchase {
  limits: readonly BoundLimit[];
  charges: readonly LimitCharge[];
  requested: RequestedAmounts;
  /** Whose Redis decides. */
  pool: MatchedPool | undefined;
}

/** A purchase that all operations of a batch share: one charge and one settlement, however many ask. */
interface JointPurchase extends Purchase {
  charge(limiter: Limiter, subject: Subject): Promise<Decision>;
}

/** An operation's place in its batch. */
export interface BatchPlace {
  /** Tells batches apart in the log of decisions. */
  readonly batchId: number;
  /** Waits until every operation has joined or left, and resolves to what they cost together. */
  join(own: Purchase): Promise<JointPurchase>;
  /** It will not run: the others need not wait. May be called at any time, and again. */
  leave(): void;
  /** What it did cost, by limit; limits that are missing stay as charged. Sent once all that joined have settled. */
  settle(
    own: Pick<Purchase, 'limits' | 'charges'>,
    actual: Readonly<Record<string, number>>,
    send: SendSettlement,
  ): void;
  /** Nothing of it runs any more; the places of the batch among what runs at a time are let go of once that is so of all. */
  end(release: (decision: Decision) => void): void;
}

type SendSettlement = (decision: Decision, actual: Readonly<Record<string, number>>) => void;

/**
 * The places of a batch of that many operations. All are priced before any of them runs, and charged as one: with every
 * limit for the sum of them, or not at all. They must be of one subject.
 */
export function createBatch(size: number): BatchPlace[] {
  const batchId = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER);
  const joined: Purchase[] = [];
  const waiting: ((joint: JointPurchase) => void)[] = [];
  const actual: Record<string, number> = {};
  let undecided = size;
  let unsettled = 0;
  let unended = 0;
  let decision: Promise<Decision> | undefined;

  function arrive(): void {
    if (--undecided > 0) return;
    unsettled = joined.length;
    unended = joined.length;
    const joint: JointPurchase = {
      ...sumOf(joined),
      charge(limiter, subject) {
        decision ??= limiter.charge({ subject, limits: this.charges, pool: this.pool?.name });
        return decision;
      },
    };
    for (const resolve of waiting) resolve(joint);
  }

  return Array.from({ length: size }, (): BatchPlace => {
    let arrived = false;
    let ended = false;
    return {
      batchId,
      join(own) {
        arrived = true;
        joined.push(own);
        const all = new Promise<JointPurchase>((resolve) => waiting.push(resolve));
        arrive();
        return all;
      },
      leave() {
        if (arrived) return;
        arrived = true;
        arrive();
      },
      settle(own, ownActual, send) {
        for (const [index, { id, cost }] of own.charges.entries()) {
          // A slot ends as soon as a settlement names it, and another operation may still run.
          if (!isSlotLimit(own.limits[index]!)) actual[id] = (actual[id] ?? 0) + (ownActual[id] ?? cost);
        }
        if (--unsettled === 0) decision?.then((one) => send(one, actual));
      },
      end(release) {
        if (ended) return;
        ended = true;
        if (--unended === 0) decision?.then(release);
      },
    };
  });
}

/**
 * Charges of one limit are added up, at most to the largest cost there is. All go to one pool: of those that match one of
 * the operations, the first.
 */
export function sumOf(purchases: readonly Purchase[]): Purchase {
  const limits = new Map<string, BoundLimit>();
  const charges = new Map<string, LimitCharge>();
  let requested: RequestedAmounts = {};
  let pool: MatchedPool | undefined;
  for (const one of purchases) {
    if (one.pool && (pool === undefined || one.pool.order < pool.order)) pool = one.pool;
    requested = sumOfAmounts(requested, one.requested);
    for (const [index, charge] of one.charges.entries()) {
      const before = charges.get(charge.id);
      charges.set(charge.id, { ...charge, cost: Math.min(MAX_COST, charge.cost + (before?.cost ?? 0)) });
      limits.set(charge.id, one.limits[index]!);
    }
  }
  const sum = { limits: [...limits.values()], charges: [...charges.values()], requested, pool };
  return isTooLarge(sum) ? { ...sum, ...withoutExcessShadows(sum) } : sum;
}
