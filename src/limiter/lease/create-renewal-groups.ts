import { MAX_LIMITS } from '../../model/limit-parameters.js';
import {
  type ChargedCaller,
  type ChargeSubject,
  callerOf,
  isSameCaller,
  type Scope,
  sharedByAll,
} from '../../model/subject.js';
import { isSameCounter } from '../algorithms/limit-algorithm.js';
import type { Lease } from '../charge/lease.js';

/** A charge that renews several leases. */
export interface Renewal {
  readonly subject: ChargedCaller;
  readonly leases: Lease[];
  readonly amounts: number[];
  readonly sentAtMs: number;
  readonly done: Promise<void>;
}

/**
 * Collects the renewals of one turn of the event loop and sends them to Redis together. Renewals of
 * one caller share a charge if possible.
 */
export interface RenewalGroups {
  /** Resolves when the charge that takes `amount` for this lease has succeeded or failed. */
  add(lease: Lease, amount: number, subject: ChargeSubject, nowMs: number): Promise<void>;
}

interface RenewalGroupsOptions {
  send(renewal: Renewal): Promise<void>;
  /** Tracks each charge from its start. */
  follow(done: Promise<void>): Promise<void>;
}

export function createRenewalGroups({ send, follow }: RenewalGroupsOptions): RenewalGroups {
  /** Open renewals by the name of the caller. */
  const open = new Map<string, Renewal[]>();

  function begin(asking: ChargeSubject, name: string, sentAtMs: number): Renewal {
    // Sent in a microtask, which runs after the operation has added all its renewals.
    const done = follow(
      Promise.resolve().then(() => {
        open.delete(name);
        return send(one);
      }),
    );
    const one: Renewal = { subject: callerOf(asking), leases: [], amounts: [], sentAtMs, done };
    return one;
  }

  function renewalFor(lease: Lease, subject: ChargeSubject, nowMs: number): Renewal {
    const name = nameOf(subject);
    const begun = open.get(name);
    const known = begun?.find((one) => isSameCaller(one.subject, subject) && hasRoomFor(one, lease));
    if (known !== undefined) return known;
    const one = begin(subject, name, nowMs);
    if (begun === undefined) open.set(name, [one]);
    else begun.push(one);
    return one;
  }

  return {
    add(lease, amount, subject, nowMs) {
      const { leases, amounts, done } = renewalFor(lease, subject, nowMs);
      leases.push(lease);
      amounts.push(amount);
      return done;
    },
  };
}

/**
 * Returns whether a lease can join a renewal. It cannot join leases of another hash slot, because a
 * charge across hash slots takes longer than two charges. It cannot join a lease of the same
 * counter, because one charge can charge a counter only once.
 */
function hasRoomFor({ leases }: Renewal, lease: Lease): boolean {
  if (leases.length >= MAX_LIMITS) return false;
  const { scope, identity } = lease.limit;
  return leases.every(
    ({ limit }) =>
      sharesSlot(limit.scope, scope) && !(limit.scope === scope && isSameCounter(limit.identity, identity)),
  );
}

/**
 * Returns whether a caller's counters of these two scopes share a hash slot. Those of its user,
 * tenant and API key do; those of its address have a slot of their own.
 */
function sharesSlot(a: Scope, b: Scope): boolean {
  if (sharedByAll(a) || sharedByAll(b)) return false;
  return (a === 'IP') === (b === 'IP');
}

/**
 * Returns a key for the renewals of a caller. Two callers rarely have the same key, and
 * `isSameCaller` distinguishes them.
 */
function nameOf({ user, tenant, apiKey, ip }: ChargeSubject): string {
  return `${user} ${tenant} ${apiKey} ${ip}`;
}
