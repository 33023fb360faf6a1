import type { BucketParameters } from './limit-parameters.js';

/** Who shares a counter, from narrow to wide. `USER` is the principal: the user, else the API key, else the address. */
export const SCOPES = ['USER', 'API_KEY', 'IP', 'TENANT', 'GLOBAL'] as const;
export type Scope = (typeof SCOPES)[number];

/** Whether all callers share the counter of a limit of this scope. */
export function sharedByAll(scope: Scope): boolean {
  return scope === 'GLOBAL';
}

/** Who is asking. At least one of user, apiKey and ip is set. */
export interface Subject {
  user?: string;
  tenant?: string;
  apiKey?: string;
  ip?: string;
  /** A tier's name; absent: the default tier. */
  tier?: string;
  /** An override, in force now, of the bucket that the tier brings. */
  bucket?: BucketParameters;
}

/** A subject as it was found: what is undefined is absent. */
export type IdentifiedSubject = { [Member in keyof Subject]?: Subject[Member] | undefined };

/** Who is charged. The tier plays no part here: it chose the limits. */
export type ChargeSubject = Pick<IdentifiedSubject, 'user' | 'tenant' | 'apiKey' | 'ip'>;

/** The address of callers of whom nothing is known: they share their counters, since no caller may be without limits. */
export const UNIDENTIFIED = 'unidentified';

/** The subject, with something to count them by. */
export function countableSubject(found: IdentifiedSubject): Subject {
  const subject = found as Subject; // Undefined is the same as absent.
  if (subject.user !== undefined || subject.apiKey !== undefined || subject.ip !== undefined) return subject;
  return { ...subject, ip: UNIDENTIFIED };
}

/** Which of the names of a subject says who `USER` is: the user, else the API key, else the address. */
export function principalKind({ user, apiKey }: ChargeSubject): 'USER' | 'API_KEY' | 'IP' {
  if (user !== undefined) return 'USER';
  return apiKey === undefined ? 'IP' : 'API_KEY';
}

/** Who `USER` is. The names of users, keys and addresses overlap: `principalKind` tells them apart. */
export function principalOf({ user, apiKey, ip = '' }: ChargeSubject): string {
  return user ?? apiKey ?? ip;
}

/** Whom the counters of a subject hang under: the tenant, else the principal. */
export function rootOf(subject: ChargeSubject): string {
  return subject.tenant ?? principalOf(subject);
}

/** The identity of a caller, copied from their subject, which may change later. */
export interface ChargedCaller {
  readonly user: string | undefined;
  readonly tenant: string | undefined;
  readonly apiKey: string | undefined;
  readonly ip: string | undefined;
}

/** For what outlasts the settlement of a charge: from then on the subject may be another caller's. */
export function callerOf({ user, tenant, apiKey, ip }: ChargeSubject): ChargedCaller {
  return { user, tenant, apiKey, ip };
}

/** Whether all their counters are the same. */
export function isSameCaller(a: ChargedCaller, b: ChargeSubject): boolean {
  return a.user === b.user && a.tenant === b.tenant && a.apiKey === b.apiKey && a.ip === b.ip;
}

/** Whether the subject has what the scope counts by: a rule for tenants says nothing about a caller without one. */
export function hasScope(subject: ChargeSubject, scope: Scope): boolean {
  switch (scope) {
    case 'USER':
      return subject.user !== undefined || subject.apiKey !== undefined || subject.ip !== undefined;
    case 'API_KEY':
      return subject.apiKey !== undefined;
    case 'TENANT':
      return subject.tenant !== undefined;
    case 'IP':
      return subject.ip !== undefined;
    case 'GLOBAL':
      return true;
  }
}

/** Whether `a` is shared by fewer than `b` (below zero), by as many, or by more. */
export function compareScopes(a: Scope, b: Scope): number {
  return SCOPES.indexOf(a) - SCOPES.indexOf(b);
}

/**
 * The scopes whose counters belong to this subject alone: those of the narrowest name that it has. What a
 * user shares with the tenant, and with all other callers, is not among them.
 */
export function ownScopes({ user, apiKey, ip, tenant }: Subject): readonly Scope[] {
  // `USER` is the principal: the user, else the key, else the address.
  if (apiKey !== undefined) return ['USER', 'API_KEY'];
  if (user !== undefined) return ['USER'];
  if (ip !== undefined) return ['USER', 'IP'];
  return tenant !== undefined ? ['TENANT'] : [];
}
