import type { LimitCharge } from '../limiter/charge/create-limit-compiler.js';
import { DEFAULT_POOL } from '../limiter/charge/is-pool-name.js';
import type { MonitoredLimiter, ProtectionLimiter } from '../limiter/create-limiter.js';
import type { LimitState } from '../model/limit-parameters.js';
import { ownScopes, rootOf, type Scope, type Subject } from '../model/subject.js';
import { INTROSPECTION } from '../rules/matching/introspection.js';
import type { PoolFinder } from '../rules/matching/pool-finder.js';
import type { BoundLimit, Ruleset } from '../rules/matching/ruleset.js';
import { enforced, type LimitOutcome, outcomesOf } from './answer/limit-outcome.js';
import { idleCharge, quotaCharges } from './charge-binder.js';

/** A limit of a subject as it stands. Times are milliseconds, `resetAtMs` since 1970. */
export interface QuotaEntry extends Pick<LimitState, 'limit' | 'used' | 'remaining' | 'resetAtMs' | 'retryAfterMs'> {
  /** The rule's name, or `tier:NAME`. */
  rule: string;
  /** The pool whose Redis counts it; `default` for operations that are in none. */
  pool: string;
  scope: Scope;
  field: string;
}

interface QuotaOptions {
  /** Which operations and callers have a Redis of their own. @default none */
  poolFinder?: PoolFinder | undefined;
  limiter: Pick<MonitoredLimiter, 'peek' | 'reset' | 'pools'>;
  /** The rules in force, asked for on each call. */
  ruleset(): Ruleset;
}

/** So many limits one call of the limiter takes. */
const MAX_AT_ONCE = 64;
/** So many calls side by side: they travel together, and keep Redis from others for no longer than a few charges do. */
const CALLS_AT_ONCE = 4;

/** What subjects have left, and how they get it back before its time. */
export function createQuota({ limiter, ruleset, poolFinder }: QuotaOptions) {
  return {
    /**
     * What a subject has left, of every limit that may apply to it, in every pool that takes some of its operations: each has
     * counters of its own. Charges nothing.
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
      // Side by side: one that hangs is waited for once.
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
     * Gives a subject full quotas again: empties every counter that is its own (`ownScopes`), of every rule of its tier,
     * also of those that hang on a client, an address or a rollout, and of shadows, in every pool. What it shares with
     * others stays. Resolves to false when one Redis did not confirm it.
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

/** Has a limiter forget what it keeps of the counters that another instance has reset. */
export function forgetQuota(
  limiter: Pick<ProtectionLimiter, 'forget' | 'pools'>,
  ruleset: Ruleset,
  subject: Subject,
): void {
  for (const limits of ownCounters(ruleset, subject)) {
    for (const pool of limiter.pools) limiter.forget({ subject, limits, pool });
  }
}

/** Every counter that is a subject's own, as many at once as a call takes. */
function ownCounters(ruleset: Ruleset, subject: Subject): (readonly LimitCharge[])[] {
  const own = ownScopes(subject);
  const counters = new Map<string, BoundLimit>();
  for (const limit of [...ruleset.limitsOf(ruleset.tier(subject.tier)), ...INTROSPECTION.limits]) {
    if (own.includes(limit.scope)) counters.set(counterOf(limit), limit);
  }
  return [...inParts([...counters.values()].map(idleCharge))];
}

function entryOf({ limit, state }: LimitOutcome, pool: string): QuotaEntry {
  return {
    rule: limit.ruleName,
    pool,
    scope: limit.scope,
    field: limit.pattern.text,
    limit: state.limit,
    used: state.used,
    remaining: state.remaining,
    resetAtMs: state.resetAtMs,
    retryAfterMs: state.retryAfterMs,
  };
}

/** Rules of one level count in one counter: it is asked for once. */
function counterOf({ id, parameters: { strict = false } }: BoundLimit): string {
  return `${id}|${strict}`;
}

function* inParts<T>(all: readonly T[], size = MAX_AT_ONCE): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size);
}
