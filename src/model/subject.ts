import type { BucketParameters, KeyBudget } from './limit-parameters.js';

/**
 * Sets of callers that share a counter, from narrow to wide. `USER` is the principal: the user,
 * else the API key, else the address. `USER_AND_IP` is each pair of a principal and an address.
 */
export const SCOPES = ['USER_AND_IP', 'USER', 'API_KEY', 'IP', 'TENANT', 'GLOBAL'] as const;
export type Scope = (typeof SCOPES)[number];

/** Returns whether all callers share the counter of a limit of this scope. */
export function sharedByAll(scope: Scope): boolean {
  return scope === 'GLOBAL';
}

/**
 * Returns whether all callers of a counter have the same billing anchor. Users with other anchors
 * may share the counter of an address. Each of their anchors would end its period early.
 */
export function sharesBillingAnchor(scope: Scope): boolean {
  return scope !== 'IP' && !sharedByAll(scope);
}

/** Kinds of callers. `ANONYMOUS`: callers that are known only by their address. */
export const CALLER_KINDS = ['ANONYMOUS', 'IDENTIFIED'] as const;
export type CallerKind = (typeof CALLER_KINDS)[number];

/**
 * Kinds of credentials. `KEY`: an API key. `TOKEN`: any other credential that identifies a user or
 * a tenant, such as a JWT or a session. `NONE`: the caller is anonymous.
 */
export const CREDENTIAL_KINDS = ['KEY', 'TOKEN', 'NONE'] as const;
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number];

/**
 * Kinds of API keys. `SERVICE`: a program of the holder. `AGENT`: a program that decides itself
 * which operations it sends, such as a language model behind an MCP server.
 */
export const KEY_KINDS = ['SERVICE', 'AGENT'] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

/** A caller. At least one of user, apiKey and ip is set. */
export interface Subject {
  user?: string;
  tenant?: string;
  apiKey?: string;
  /** Kind of the API key. @default SERVICE */
  keyKind?: KeyKind;
  /** Budget of the API key, which is charged in addition to all other limits. */
  keyBudget?: KeyBudget;
  /** Fields that operations with the API key may select (see `findForbiddenField`). @default all */
  keyFields?: readonly string[];
  ip?: string;
  /** Name of the tier; absent for the default tier. */
  tier?: string;
  /** Override of the tier's bucket that is in force now. */
  bucket?: BucketParameters;
  /**
   * Date from which the billing periods of the caller are counted, as `YYYY-MM-DD`. A caller with a
   * tenant has the tenant's, because the tenant receives the invoice. Callers must not be able to
   * choose it: another anchor can end a period early.
   */
  billingAnchor?: string;
}

const FIELD_OF_KEY = /^[_A-Za-z][_0-9A-Za-z]*\.(?:\*|[_A-Za-z][_0-9A-Za-z]*)$/;

/** Returns whether a value is an entry of the fields of an API key: `Type.field` or `Type.*`. */
export function isFieldOfKey(value: unknown): value is string {
  return typeof value === 'string' && FIELD_OF_KEY.test(value);
}

/** A subject as identification returns it. An undefined member means the same as an absent one. */
export type IdentifiedSubject = { [Member in keyof Subject]?: Subject[Member] | undefined };

/**
 * Names by which a caller is charged, and the billing anchor, which selects the windows of some
 * limits. The tier is not needed, because it has already determined the limits.
 */
export type ChargeSubject = Pick<IdentifiedSubject, 'user' | 'tenant' | 'apiKey' | 'ip' | 'billingAnchor'>;

/**
 * Address of callers that cannot be identified. They share their counters, because no caller may be
 * without limits.
 */
export const UNIDENTIFIED = 'unidentified';

/**
 * Returns the subject. If no name identifies it, the address `UNIDENTIFIED` is added, so that it
 * can be counted.
 */
export function countableSubject(found: IdentifiedSubject): Subject {
  const subject = found as Subject; // An undefined member means the same as an absent one.
  if (subject.user !== undefined || subject.apiKey !== undefined || subject.ip !== undefined) return subject;
  return { ...subject, ip: UNIDENTIFIED };
}

/**
 * Returns the kind of name by which the scope `USER` identifies a subject: the user, else the API
 * key, else the address.
 */
export function principalKind({ user, apiKey }: ChargeSubject): 'USER' | 'API_KEY' | 'IP' {
  if (user !== undefined) return 'USER';
  return apiKey === undefined ? 'IP' : 'API_KEY';
}

/**
 * Returns the name by which the scope `USER` identifies a subject. The names of users, keys and
 * addresses can be equal; `principalKind` distinguishes them.
 */
export function principalOf({ user, apiKey, ip = '' }: ChargeSubject): string {
  return user ?? apiKey ?? ip;
}

/**
 * Returns a text that is unique for each caller. Callers choose their names, so no separator is
 * safe: the text begins with the length of the tenant's name. JSON would be too slow, because this
 * function runs for every decision.
 * @param nameOf shortens a name. @default names are not shortened
 */
export function callerKey(
  subject: Omit<ChargeSubject, 'billingAnchor'>,
  nameOf: (name: string) => string = (name) => name,
): string {
  const { tenant } = subject;
  const root = tenant === undefined ? '' : nameOf(tenant);
  const head = tenant === undefined ? '-' : root.length;
  return `${LETTERS[principalKind(subject)]}${head} ${root}${nameOf(principalOf(subject))}`;
}

const LETTERS = { USER: 'u', API_KEY: 'k', IP: 'i' } as const;

/** Returns the kind of credential that identified a subject. */
export function credentialKindOf({ user, tenant, apiKey }: ChargeSubject): CredentialKind {
  if (apiKey !== undefined) return 'KEY';
  return user === undefined && tenant === undefined ? 'NONE' : 'TOKEN';
}

/**
 * Returns the name under which the counters of a subject are grouped: the tenant, else the
 * principal.
 */
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

/**
 * Copies the identity of a caller, for use after the settlement of a charge. By then, the server
 * may have reused the subject object for another caller.
 */
export function callerOf({ user, tenant, apiKey, ip }: ChargeSubject): ChargedCaller {
  return { user, tenant, apiKey, ip };
}

/** Returns whether two callers share all of their counters. */
export function isSameCaller(a: ChargedCaller, b: ChargeSubject): boolean {
  return a.user === b.user && a.tenant === b.tenant && a.apiKey === b.apiKey && a.ip === b.ip;
}

/**
 * Returns whether the subject has the name by which the scope counts. A rule for tenants does not
 * apply to a caller without a tenant.
 */
export function hasScope(subject: ChargeSubject, scope: Scope): boolean {
  switch (scope) {
    case 'USER':
      return subject.user !== undefined || subject.apiKey !== undefined || subject.ip !== undefined;
    case 'API_KEY':
      return subject.apiKey !== undefined;
    case 'TENANT':
      return subject.tenant !== undefined;
    case 'IP':
    case 'USER_AND_IP':
      // A caller with an address also has a principal.
      return subject.ip !== undefined;
    case 'GLOBAL':
      return true;
  }
}

/**
 * Compares two scopes. The result is below zero if fewer callers share `a` than `b`, and above zero
 * if more do.
 */
export function compareScopes(a: Scope, b: Scope): number {
  return SCOPES.indexOf(a) - SCOPES.indexOf(b);
}

/**
 * Returns the scopes whose counters belong to this subject alone: those of the narrowest name that
 * it has. Counters that a user shares with the tenant, or with all other callers, are not included.
 */
export function ownScopes({ user, apiKey, ip, tenant }: Subject): readonly Scope[] {
  // `USER` is the principal: the user, else the key, else the address.
  const withAddress = ip === undefined ? [] : (['USER_AND_IP'] as const);
  if (apiKey !== undefined) return ['USER', 'API_KEY', ...withAddress];
  if (user !== undefined) return ['USER', ...withAddress];
  if (ip !== undefined) return ['USER', 'IP', ...withAddress];
  return tenant !== undefined ? ['TENANT'] : [];
}
