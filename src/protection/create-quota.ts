import type { LimitCharge } from '../limiter/charge/create-limit-compiler.js';
import { DEFAULT_POOL } from '../limiter/charge/is-pool-name.js';
import type { MonitoredLimiter, ProtectionLimiter } from '../limiter/create-limiter.js';
import type { CalendarPeriod, LimitState } from '../model/limit-parameters.js';
import { ownScopes, rootOf, type Scope, type Subject } from '../model/subject.js';
import { boundKeyBudget } from '../rules/matching/bind-rules.js';
import { INTROSPECTION } from '../rules/matching/introspection.js';
import type { PoolFinder } from '../rules/matching/pool-finder.js';
import type { BoundLimit, Ruleset } from '../rules/matching/ruleset.js';
import { enforced, enforcedParameters, type LimitOutcome, outcomesOf } from './answer/limit-outcome.js';
import { idleCharge } from './charge-binder.js';
import { quotaCharges } from './quota-charges.js';

/** Current state of one limit of a subject. Times are milliseconds; `resetAtMs` is a UNIX time. */
export interface QuotaEntry extends Pick<LimitState, 'limit' | 'used' | 'remaining' | 'resetAtMs' | 'retryAfterMs'> {
  /** Name of the rule, `tier:NAME`, `tier:NAME:budget` or `key:budget`. */
  rule: string;
  /** Pool whose Redis contains the counter; `default` for operations without a pool. */
  pool: string;
  scope: Scope;
  field: string;
  /** Limit of all regions together. `limit` is less if the limit is split between regions. */
  wholeLimit: number;
  /** Region whose part `limit` is; undefined unless the limit is split between regions. */
  region: string | undefined;
  /** Current period of a calendar window; undefined for other limits. */
  period: QuotaPeriod | undefined;
}

/** The current period of a calendar window. It ends at `resetAtMs` of the limit. */
export interface QuotaPeriod {
  every: CalendarPeriod;
  timeZone: string;
  lengthMs: number;
  /** Amount that a period includes. */
  amount: number;
  /** Part of the used amount that exceeds `amount`. */
  overage: number;
  /** Amount that is left of the previous period. */
  carriedOver: number;
}

interface QuotaOptions {
  /** Pools of operations and callers with a Redis of their own. @default none */
  poolFinder?: PoolFinder | undefined;
  limiter: Pick<MonitoredLimiter, 'peek' | 'reset' | 'pools'>;
  /** Returns the rules in force. Called on each call. */
  ruleset(): Ruleset;
}

/** Maximum number of limits in one call of the limiter. */
const MAX_AT_ONCE = 64;
/**
 * Number of parallel calls. They are sent together, and occupy Redis for no longer than a few
 * charges do.
 */
const CALLS_AT_ONCE = 4;

/** Creates the functions that read and reset the quotas of subjects. */
export function createQuota({ limiter, ruleset, poolFinder }: QuotaOptions) {
  return {
    /**
     * Returns the current state of every limit that may apply to a subject, and charges nothing.
     * Each pool that may serve operations of the subject has separate counters, and therefore
     * separate entries.
     */
    async quota(subject: Subject): Promise<QuotaEntry[]> {
      const rules = ruleset();
      const facts = { subject, root: rootOf(subject) };
      const tier = rules.tier(subject.tier);
      const { limits, charges } = quotaCharges(rules, tier, facts);
      const caller = { subject, tier: tier.name };
      const pools = limiter.pools.filter(
        (pool) => pool === DEFAULT_POOL || poolFinder?.mayTake(pool, caller) !== false,
      );
      // The pools run in parallel, so that the call waits at most once for a pool that hangs.
      const byPool = pools.map(async (pool) => {
        const states: LimitState[] = [];
        for (const parts of inParts([...inParts(charges)], CALLS_AT_ONCE)) {
          const peeked = await Promise.all(parts.map((some) => limiter.peek({ subject, limits: some, pool })));
          states.push(...peeked.flat());
        }
        return enforced(outcomesOf(limits, states)).map((outcome) => entryOf(outcome, pool));
      });
      return (await Promise.all(byPool)).flat();
    },

    /**
     * Resets a subject's quotas: clears every counter that only this subject uses (`ownScopes`), in
     * every pool. This includes the counters of all rules of its tier, even shadow rules and rules
     * that depend on a client, an address or a rollout. Counters that the subject shares with other
     * subjects are not reset. Resolves to false if any Redis did not confirm the reset.
     */
    async resetQuota(subject: Subject): Promise<boolean> {
      const parts = ownCounters(ruleset(), subject);
      const confirmed = limiter.pools.map(async (pool) => {
        let all = true;
        for (const limits of parts) {
          if (!(await limiter.reset({ subject, limits, pool }))) all = false;
        }
        return all;
      });
      return (await Promise.all(confirmed)).every(Boolean);
    },
  };
}

/** Deletes a limiter's local state of the counters that another instance has reset. */
export function forgetQuota(
  limiter: Pick<ProtectionLimiter, 'forget' | 'pools'>,
  ruleset: Ruleset,
  subject: Subject,
): void {
  for (const limits of ownCounters(ruleset, subject)) {
    for (const pool of limiter.pools) limiter.forget({ subject, limits, pool });
  }
}

/** Returns every counter that only this subject uses, in lists that each fit into one call. */
function ownCounters(ruleset: Ruleset, subject: Subject): (readonly LimitCharge[])[] {
  const own = ownScopes(subject);
  const counters = new Map<string, BoundLimit>();
  const ofKey = subject.keyBudget ? [boundKeyBudget(subject.keyBudget)] : [];
  for (const limit of [...ruleset.limitsOf(ruleset.tier(subject.tier)), ...INTROSPECTION.limits, ...ofKey]) {
    if (own.includes(limit.scope)) counters.set(counterOf(limit), limit);
  }
  return [...inParts([...counters.values()].map(idleCharge))];
}

function entryOf(outcome: LimitOutcome, pool: string): QuotaEntry {
  const { limit, state } = outcome;
  return {
    rule: limit.ruleName,
    pool,
    scope: limit.scope,
    field: limit.pattern.text,
    limit: state.limit,
    wholeLimit: state.part?.wholeLimit ?? state.limit,
    region: state.part?.region,
    used: state.used,
    remaining: state.remaining,
    resetAtMs: state.resetAtMs,
    retryAfterMs: state.retryAfterMs,
    period: periodOf(outcome),
  };
}

function periodOf(outcome: LimitOutcome): QuotaPeriod | undefined {
  const { every, timeZone = 'UTC', amount = 0 } = enforcedParameters(outcome);
  if (every === undefined) return undefined;
  const { windowMs: lengthMs = 0, overage = 0, carriedOver = 0 } = outcome.state;
  return { every, timeZone, lengthMs, amount, overage, carriedOver };
}

/**
 * Returns the key of a counter. Rules with the same scope, field and measure may share a counter,
 * so it is requested only once.
 */
function counterOf({ id, parameters: { strict = false, carryOver } }: BoundLimit): string {
  return `${id}|${strict}|${carryOver !== undefined}`;
}

function* inParts<T>(all: readonly T[], size = MAX_AT_ONCE): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size);
}
