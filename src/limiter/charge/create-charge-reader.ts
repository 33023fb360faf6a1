import { show } from '../../model/describe-problems.js';
import { MAX_COST, MAX_LIMITS, type RegionPart } from '../../model/limit-parameters.js';
import type { RegionOptions } from '../../model/region-mode.js';
import type { ChargeSubject } from '../../model/subject.js';
import { hasScope, type Scope } from '../../model/subject.js';
import { isWholeNumber } from '../../options/is-whole-number.js';
import { didYouMean } from '../../options/nearest-name.js';
import { isSameCounter, type Limit } from '../algorithms/limit-algorithm.js';
import type { MovedShares } from '../regions/moved-shares.js';
import { anchoredLimit } from './anchored-limit.js';
import { type CheckedRequest, checkedRequestOf, createLimitSet, type LimitSet } from './checked-request.js';
import { checkCost, createLimitCompiler, type LimitCharge, type LimitCompiler } from './create-limit-compiler.js';

export interface ChargeReader {
  /**
   * Validates the subject and the limits of a charge, and drops the limits whose scope the subject
   * lacks.
   * @throws TypeError if the input is invalid, or if two limits charge the same counter
   */
  read(subject: ChargeSubject, charges: readonly LimitCharge[]): CheckedRequest;
  /**
   * Validates a charge of a single limit, and returns its compiled limit. Returns undefined if the
   * subject lacks its scope.
   * @throws TypeError if the input is invalid
   */
  readOne(subject: ChargeSubject, charge: LimitCharge): Limit | undefined;
  prepare: LimitCompiler['prepare'];
  /** Returns the part of a limit that the region enforces now; undefined if it is not split. */
  regionPart(charge: LimitCharge): RegionPart | undefined;
}

/**
 * Maximum number of cached sets of limits. Each combination of an operation and a tier has one set.
 */
const MAX_SETS = 1000;

/** @param region region of this process, for limits with `regionMode: 'SPLIT'` */
export function createChargeReader(region?: RegionOptions, moves?: MovedShares): ChargeReader {
  const { compile, prepare } = createLimitCompiler(region, moves);
  /** Sets by the combined hash of their counters. */
  let known = new Map<number, LimitSet[]>();
  let count = 0;
  /** Set of the previous request: most requests have the same one. */
  let latest: LimitSet = createLimitSet([]);
  // Every call reuses the array.
  const found: Limit[] = [];

  /** Returns the set of the first `length` limits of `found`. */
  function setOf(length: number): LimitSet {
    if (isFound(latest, length)) return latest;
    let hash = length;
    for (let i = 0; i < length; i++) hash = (Math.imul(hash, 31) + found[i]!.identity.hash) | 0;
    latest = known.get(hash)?.find((set) => isFound(set, length)) ?? remember(hash, found.slice(0, length));
    return latest;
  }

  function isFound({ limits }: LimitSet, length: number): boolean {
    if (limits.length !== length) return false;
    for (let i = 0; i < length; i++) if (limits[i] !== found[i]) return false;
    return true;
  }

  function remember(hash: number, limits: readonly Limit[]): LimitSet {
    checkDistinct(limits);
    const set = createLimitSet(limits);
    if (++count > MAX_SETS) {
      known = new Map();
      count = 1;
    }
    const alike = known.get(hash);
    if (alike) alike.push(set);
    else known.set(hash, [set]);
    return set;
  }

  function read(subject: ChargeSubject, charges: readonly LimitCharge[]): CheckedRequest {
    checkSubject(subject);
    if (!Array.isArray(charges)) throw new TypeError(`limits: expected an array, got ${String(charges)}`);
    const costs = new Array<number>(charges.length);
    let length = 0;
    for (let i = 0; i < charges.length; i++) {
      const charge = charges[i]!;
      const cost = checkCost(charge, i);
      const limit = anchoredLimit(compile(charge, i), subject);
      if (!hasScope(subject, limit.scope)) continue;
      found[length] = limit;
      costs[length++] = cost;
    }
    if (length < charges.length) {
      // The subject may lack the scope because of a misspelled member. This is checked only here,
      // because most charges drop no limit.
      rejectUnknownNames(subject);
      rejectMissingCaller(subject, charges);
      costs.length = length;
    }
    return checkedRequestOf(subject, setOf(length), costs);
  }

  function readOne(subject: ChargeSubject, charge: LimitCharge): Limit | undefined {
    checkSubject(subject);
    checkCost(charge, 0);
    const limit = anchoredLimit(compile(charge, 0), subject);
    return hasScope(subject, limit.scope) ? limit : undefined;
  }

  const regionPart = (charge: LimitCharge) => (region === undefined ? undefined : compile(charge, 0).part);
  return { read, readOne, prepare, regionPart };
}

/**
 * Validates the actual costs of a charge, by limit id, and returns them. A limit without an actual
 * cost keeps its charge. If an id is the name of a member that every object inherits, such as
 * `constructor`, returns a copy that inherits nothing: the member would be read as a cost.
 * @throws TypeError if a cost is not a whole number of tokens
 */
export function readActual(
  limits: readonly Limit[],
  actual: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  for (const { id } of limits) {
    const cost: unknown = actual[id];
    if (cost === undefined || isWholeNumber(cost, 0, MAX_COST)) continue;
    if (!Object.hasOwn(actual, id)) return readActual(limits, withoutInherited(actual));
    const expected = `a whole number from 0 to ${MAX_COST}`;
    throw new TypeError(`actual ${JSON.stringify(id)}: expected ${expected}, got ${String(cost)}`);
  }
  return actual;
}

/** Returns the same costs in an object that inherits nothing. */
function withoutInherited(costs: Readonly<Record<string, number>>): Record<string, number> {
  return Object.assign(Object.create(null) as Record<string, number>, costs);
}

function checkSubject(subject: ChargeSubject): void {
  if (typeof subject !== 'object' || subject === null) {
    throw new TypeError(`subject: expected an object, got ${String(subject)}`);
  }
  const { user, tenant, apiKey, ip } = subject;
  if (
    (user === undefined || typeof user === 'string') &&
    (tenant === undefined || typeof tenant === 'string') &&
    (apiKey === undefined || typeof apiKey === 'string') &&
    (ip === undefined || typeof ip === 'string')
  ) {
    if (user === undefined && tenant === undefined && apiKey === undefined && ip === undefined) {
      rejectUnknownNames(subject);
    }
    return;
  }
  rejectSubject({ user, tenant, apiKey, ip });
}

function rejectSubject(subject: Record<string, unknown>): void {
  for (const [field, value] of Object.entries(subject)) {
    if (value !== undefined && typeof value !== 'string') {
      throw new TypeError(`subject.${field}: expected a string, got ${String(value)}`);
    }
  }
}

const NAMES = ['user', 'tenant', 'apiKey', 'ip'];
/** Members of a `Subject` that determine which limits apply. They identify no counter. */
const WITHOUT_PART = ['tier', 'bucket', 'billingAnchor'];

/**
 * Rejects unknown members. A caller identified only by an unknown member would have no limits and
 * be charged nothing.
 */
function rejectUnknownNames(subject: ChargeSubject): void {
  for (const [name, value] of Object.entries(subject)) {
    if (value === undefined || NAMES.includes(name) || WITHOUT_PART.includes(name)) continue;
    throw new TypeError(`subject.${name}: unknown member, expected ${NAMES.join(', ')}${didYouMean(name, NAMES)}`);
  }
}

/**
 * Scopes that every caller has, because every caller has at least an address. Not every caller has
 * a key or a tenant.
 */
const OF_ANYBODY: readonly Scope[] = ['USER', 'IP', 'USER_AND_IP'];

/**
 * Rejects a subject without any identity, such as `{ ip: request.ip }` after the connection was
 * closed. No limit per caller would apply to it, so it would always be admitted.
 */
function rejectMissingCaller(subject: ChargeSubject, charges: readonly LimitCharge[]): void {
  if (hasScope(subject, 'USER') || hasScope(subject, 'TENANT')) return;
  const index = charges.findIndex(({ scope }) => OF_ANYBODY.includes(scope));
  if (index < 0) return;
  const { id, scope } = charges[index]!;
  throw new TypeError(
    `subject: expected one of ${NAMES.join(', ')}, because limits[${index}] ${show(id)} has the scope ${scope}`,
  );
}

/**
 * Rejects duplicate counters: one operation that charges a counter twice would be checked twice
 * against the same state.
 */
function checkDistinct(limits: readonly Limit[]): void {
  if (limits.length > MAX_LIMITS) {
    throw new TypeError(`limits: expected at most ${MAX_LIMITS} for one operation, got ${limits.length}`);
  }
  for (let i = 1; i < limits.length; i++) {
    const { identity, scope, id } = limits[i]!;
    for (let j = 0; j < i; j++) {
      if (isSameCounter(limits[j]!.identity, identity) && limits[j]!.scope === scope) {
        throw new TypeError(`limits ${JSON.stringify(id)}: id: expected each counter once per scope, got it twice`);
      }
    }
  }
}
