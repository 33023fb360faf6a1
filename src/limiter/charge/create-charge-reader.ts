import { show } from '../../model/describe-problems.js';
import { MAX_COST, MAX_LIMITS } from '../../model/limit-parameters.js';
import type { ChargeSubject } from '../../model/subject.js';
import { hasScope, type Scope } from '../../model/subject.js';
import { didYouMean } from '../../options/nearest-name.js';
import { isSameCounter, type Limit } from '../algorithms/limit-algorithm.js';
import { type CheckedRequest, checkedRequestOf, createLimitSet, type LimitSet } from './checked-request.js';
import { checkCost, createLimitCompiler, type LimitCharge, type LimitCompiler } from './create-limit-compiler.js';

interface ChargeReader {
  /** Checks what a caller passes, and drops the limits whose scope the subject does not have. */
  read(subject: ChargeSubject, charges: readonly LimitCharge[]): CheckedRequest;
  /** The same for a charge of a single limit; undefined where the subject does not have its scope. */
  readOne(subject: ChargeSubject, charge: LimitCharge): Limit | undefined;
  prepare: LimitCompiler['prepare'];
}

/** Sets of limits that are remembered: each operation of each tier has one. */
const MAX_SETS = 1000;

export function createChargeReader(): ChargeReader {
  const { compile, prepare } = createLimitCompiler();
  /** By what their counters hash to together. */
  let known = new Map<number, LimitSet[]>();
  let count = 0;
  /** That of the request before: mostly this one has the same. */
  let latest: LimitSet = createLimitSet([]);
  // Reused by every call.
  const found: Limit[] = [];

  /** The set of the first `length` limits found. */
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
      const limit = compile(charge, i);
      if (!hasScope(subject, limit.scope)) continue;
      found[length] = limit;
      costs[length++] = cost;
    }
    if (length < charges.length) {
      // Perhaps only because a name of the subject is written otherwise. Looked at here alone: most charges leave nothing out.
      refuseUnknownNames(subject);
      refuseNobody(subject, charges);
      costs.length = length;
    }
    return checkedRequestOf(subject, setOf(length), costs);
  }

  function readOne(subject: ChargeSubject, charge: LimitCharge): Limit | undefined {
    checkSubject(subject);
    checkCost(charge, 0);
    const limit = compile(charge, 0);
    return hasScope(subject, limit.scope) ? limit : undefined;
  }

  return { read, readOne, prepare };
}

/**
 * What a charge of these limits is to be settled to, by their ids; `undefined` stays as charged. Refuses what is no whole number of
 * tokens. An id may be a name that every object has, such as `constructor`: what is inherited is no cost.
 */
export function readActual(
  limits: readonly Limit[],
  actual: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  for (const { id } of limits) {
    const cost: unknown = actual[id];
    if (cost === undefined || (Number.isInteger(cost) && (cost as number) >= 0 && (cost as number) <= MAX_COST))
      continue;
    if (!Object.hasOwn(actual, id)) return readActual(limits, withoutInherited(actual));
    const expected = `a whole number from 0 to ${MAX_COST}`;
    throw new TypeError(`actual ${JSON.stringify(id)}: expected ${expected}, got ${String(cost)}`);
  }
  return actual;
}

/** The same costs, of an object that inherits nothing. */
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
      refuseUnknownNames(subject);
    }
    return;
  }
  refuseSubject({ user, tenant, apiKey, ip });
}

function refuseSubject(subject: Record<string, unknown>): void {
  for (const [field, value] of Object.entries(subject)) {
    if (value !== undefined && typeof value !== 'string') {
      throw new TypeError(`subject.${field}: expected a string, got ${String(value)}`);
    }
  }
}

const NAMES = ['user', 'tenant', 'apiKey', 'ip'];
/** What else a `Subject` has, which chose the limits. */
const WITHOUT_PART = ['tier', 'bucket'];

/** A caller by a name that is not read would have no limits, and pay nothing. */
function refuseUnknownNames(subject: ChargeSubject): void {
  for (const [name, value] of Object.entries(subject)) {
    if (value === undefined || NAMES.includes(name) || WITHOUT_PART.includes(name)) continue;
    throw new TypeError(`subject.${name}: unknown member, expected ${NAMES.join(', ')}${didYouMean(name, NAMES)}`);
  }
}

/** Each caller has an address, if nothing else; not each has a key or a tenant. */
const OF_ANYBODY: readonly Scope[] = ['USER', 'IP'];

/** `{ ip: request.ip }` of a connection that has closed is nobody, who would have no limit of their own, and be admitted always. */
function refuseNobody(subject: ChargeSubject, charges: readonly LimitCharge[]): void {
  if (hasScope(subject, 'USER') || hasScope(subject, 'TENANT')) return;
  const index = charges.findIndex(({ scope }) => OF_ANYBODY.includes(scope));
  if (index < 0) return;
  const { id, scope } = charges[index]!;
  throw new TypeError(
    `subject: expected one of ${NAMES.join(', ')}, as limits[${index}] ${show(id)} is of scope ${scope}: of nobody it would limit nothing`,
  );
}

/** One counter charged twice by one operation would be checked against the same state twice. */
function checkDistinct(limits: readonly Limit[]): void {
  if (limits.length > MAX_LIMITS) {
    throw new TypeError(`limits: expected at most ${MAX_LIMITS} for one operation, got ${limits.length}`);
  }
  for (let i = 1; i < limits.length; i++) {
    const { identity, scope, id } = limits[i]!;
    for (let j = 0; j < i; j++) {
      if (isSameCounter(limits[j]!.identity, identity) && limits[j]!.scope === scope) {
        throw new TypeError(`limits ${JSON.stringify(id)}: id: expected every counter once per scope, got it twice`);
      }
    }
  }
}
