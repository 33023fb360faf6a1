import type { LimitCharge } from '../limiter/charge/create-limit-compiler.js';
import type { Decision } from '../limiter/charge/decision.js';
import type { Limiter } from '../limiter/create-limiter.js';
import { MAX_COST } from '../model/limit-parameters.js';
import type { Subject } from '../model/subject.js';
import type { MatchedPool } from '../rules/matching/pool-finder.js';
import type { BoundLimit, UnknownRule } from '../rules/matching/ruleset.js';
import type { StopSignal } from '../runtime/wait-for.js';
import { isSlotLimit } from './answer/is-slot-limit.js';
import { type RequestedAmounts, sumOfAmounts } from './requested-amounts.js';
import { isTooLarge, withoutExcessShadows } from './too-many-limits-error.js';

/** Amounts that one operation or one batch charges. Limits and charges have the same order. */
export interface Purchase {
  limits: readonly BoundLimit[];
  charges: readonly LimitCharge[];
  requested: RequestedAmounts;
  /** Pool whose Redis decides. */
  pool: MatchedPool | undefined;
  /** Rule or tier that denies one of the operations, because this version does not know its features. */
  unknownRule?: UnknownRule | undefined;
}

/**
 * A purchase that all operations of a batch share. Only the first call of `charge` charges the
 * limits; later calls return the same decision.
 */
export interface JointPurchase extends Purchase {
  /**
   * @param signal signal that ends a wait for slots. The signal of the first operation is used, because
   * all operations of a batch have the same client
   */
  charge(limiter: Limiter, subject: Subject, signal?: StopSignal): Promise<Decision>;
}

/** An operation's place in its batch. */
export interface BatchPlace {
  /** Id that distinguishes batches in the log of decisions. */
  readonly batchId: number;
  /** Waits until every operation has joined or left, and resolves to the sum of their amounts. */
  join(own: Purchase): Promise<JointPurchase>;
  /**
   * Declares that the operation will not run, so that the other operations need not wait for it.
   * May be called at any time, and repeatedly.
   */
  leave(): void;
  /**
   * Adds the actual costs of the operation by limit. A limit that is missing in `actual` keeps its
   * charge. The settlement is sent once all operations that joined have settled.
   */
  settle(
    own: Pick<Purchase, 'limits' | 'charges'>,
    actual: Readonly<Record<string, number>>,
    send: SendSettlement,
  ): void;
  /**
   * Declares that no resolver of the operation runs any more. The concurrency slots of the batch
   * are released when all its operations have ended.
   */
  end(release: (decision: Decision) => void): void;
}

type SendSettlement = (decision: Decision, actual: Readonly<Record<string, number>>) => void;

/**
 * Creates the places of a batch with `size` operations. All operations are priced before any of
 * them runs. They are charged together: each limit is charged the sum of all operations, or no
 * limit is charged. All operations must have the same subject.
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
      charge(limiter, subject, signal) {
        decision ??= limiter.charge({ subject, limits: this.charges, pool: this.pool?.name, signal });
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
          // A settlement that includes a concurrency limit releases its slot, but another operation
          // of the batch may still run.
          if (!isSlotLimit(own.limits[index]!))
            actual[id] = Math.min(MAX_COST, (actual[id] ?? 0) + (ownActual[id] ?? cost));
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
 * Adds up the charges of each limit, up to `MAX_COST`. The sum is charged in one pool. If the
 * operations match several pools, this is the pool with the lowest `order`.
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
  const unknownRule = purchases.find((one) => one.unknownRule)?.unknownRule;
  const sum = { limits: [...limits.values()], charges: [...charges.values()], requested, pool, unknownRule };
  return isTooLarge(sum) ? { ...sum, ...withoutExcessShadows(sum) } : sum;
}
