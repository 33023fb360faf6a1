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

/** Leases that are renewed in one charge. */
export interface Renewal {
  readonly subject: ChargedCaller;
  readonly leases: Lease[];
  readonly amounts: number[];
  readonly sentAtMs: number;
  readonly done: Promise<void>;
}

/** What is to be taken in this turn of the event loop: all of it goes to Redis together, and what belongs together in one charge. */
export interface RenewalGroups {
  /** Resolves when Redis has answered to the charge that takes `amount` for this lease, or did not. */
  add(lease: Lease, amount: number, subject: ChargeSubject, nowMs: number): Promise<void>;
}

interface RenewalGroupsOptions {
  send(renewal: Renewal): Promise<void>;
  /** Given each charge as it begins. */
  follow(done: Promise<void>): Promise<void>;
}

export function createRenewalGroups({ send, follow }: RenewalGroupsOptions): RenewalGroups {
  /** By whom it is charged to. */
  const open = new Map<string, Renewal[]>();

  function begin(asking: ChargeSubject, name: string, sentAtMs: number): Renewal {
    // All that an operation makes necessary is known once it is decided.
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

/** A charge across slots would take longer than two; and a counter can be charged once only. */
function hasRoomFor({ leases }: Renewal, lease: Lease): boolean {
  if (leases.length >= MAX_LIMITS) return false;
  const { scope, identity } = lease.limit;
  return leases.every(
    ({ limit }) =>
      sharesSlot(limit.scope, scope) && !(limit.scope === scope && isSameCounter(limit.identity, identity)),
  );
}

/** Those of a user, a tenant and an API key lie under one root. */
function sharesSlot(a: Scope, b: Scope): boolean {
  if (sharedByAll(a) || sharedByAll(b)) return false;
  return (a === 'IP') === (b === 'IP');
}

/** Hardly ever the same for two. */
function nameOf({ user, tenant, apiKey, ip }: ChargeSubject): string {
  return `${user} ${tenant} ${apiKey} ${ip}`;
}
