import type { OperationType } from '../../model/rule.js';
import type { ChargeSubject } from '../../model/subject.js';
import { rejectMistakes } from '../../options/find-mistakes.js';
import { type FieldPattern, parseFieldPattern } from '../policy/field-pattern.js';
import type { OperationFacts } from './rule-index.js';

/**
 * Conditions of a pool. A pool handles operations that match one of its operation patterns, from
 * callers that match one of its caller patterns. Without operation patterns, it handles all
 * operations. Without caller patterns, it handles all callers.
 */
export interface PoolPatterns {
  /** `QUERY`, `MUTATION`, `SUBSCRIPTION`. */
  operationTypes?: readonly OperationType[];
  /** Names of operations; `*` stands for any number of characters. Clients choose these names. */
  operationNames?: readonly string[];
  /** Field patterns as in rules: `Type.field`, `Type.*`, `*.field` or `*`. */
  fields?: readonly string[];
  /** Ids of users. */
  users?: readonly string[];
  /** Ids of tenants. The pool handles all of their callers. */
  tenants?: readonly string[];
  /** Names of tiers. The pool handles all callers on these tiers. */
  tiers?: readonly string[];
  /**
   * Whether the pool handles callers with neither a user nor an API key, known only by their
   * address.
   * @default false
   */
  anonymous?: boolean;
}

export interface NamedPatterns extends PoolPatterns {
  name: string;
}

/** The pool of an operation. */
export interface MatchedPool {
  readonly name: string;
  /** Position among the pools. An operation or a batch goes to the first pool that matches. */
  readonly order: number;
}

/** The caller and the tier in force for it. */
export interface PoolCaller {
  subject: ChargeSubject;
  tier: string;
}

/**
 * Returns the pool of a caller. Returns undefined if no pool handles the caller, so that the
 * default Redis decides.
 */
export type PoolOfCaller = (caller: PoolCaller) => MatchedPool | undefined;

export interface PoolFinder {
  /**
   * Returns the pools of an operation as a function of the caller. Call this method once per
   * compiled operation, and the returned function once per request. Returns undefined if no pool
   * handles the operation.
   */
  ofOperation(operation: OperationFacts): PoolOfCaller | undefined;
  /**
   * Returns the pool for the fee of a rejected request, which has no operation: the first pool that
   * handles all operations of this caller.
   */
  ofRejections: PoolOfCaller;
  /** Whether the pool handles some operations of this caller. */
  mayTake(name: string, caller: PoolCaller): boolean;
}

const OPERATION_TYPES: readonly string[] = ['QUERY', 'MUTATION', 'SUBSCRIPTION'] satisfies OperationType[];
const NAME_GLOB = /^[_0-9A-Za-z*]{1,200}$/;

/** Returns the mistakes in the patterns of a pool, one line each. */
export function findPatternProblems(patterns: PoolPatterns): string[] {
  const { operationTypes = [], operationNames = [], fields = [], users = [], tenants = [], tiers = [] } = patterns;
  const problems: string[] = [];
  const reject = (what: string, expected: string, got: string) =>
    problems.push(`${what}: expected ${expected}, got ${JSON.stringify(got)}`);
  for (const type of operationTypes) {
    if (!OPERATION_TYPES.includes(type)) reject('operation type', `one of ${OPERATION_TYPES.join(', ')}`, type);
  }
  for (const name of operationNames) {
    if (!NAME_GLOB.test(name)) reject('operation name', 'a name, in which * stands for any characters', name);
  }
  for (const field of fields) {
    if (!parseFieldPattern(field)) reject('field', 'Type.field, Type.*, *.field or *', field);
  }
  for (const [what, ids] of Object.entries({ user: users, tenant: tenants, tier: tiers })) {
    for (const id of ids) if (id.trim() === '') reject(what, what === 'tier' ? 'the name of a tier' : 'an id', id);
  }
  if (!choosesOperations(patterns) && !choosesCallers(patterns)) {
    problems.push(
      'expected a pattern: the type, the name or a field of operations, or the user, the tenant or the tier of callers, or anonymous callers; got none',
    );
  }
  return problems;
}

const choosesOperations = ({ operationTypes, operationNames, fields }: PoolPatterns) =>
  Boolean(operationTypes?.length || operationNames?.length || fields?.length);
const choosesCallers = ({ users, tenants, tiers, anonymous }: PoolPatterns) =>
  Boolean(users?.length || tenants?.length || tiers?.length || anonymous);

/**
 * Creates a finder of pools. It returns the first pool, in their order, that handles an operation.
 * @throws TypeError that lists every mistake in the patterns
 */
export function createPoolFinder(pools: readonly NamedPatterns[]): PoolFinder {
  rejectMistakes('pools', findPoolMistakes(pools));
  const prepared = pools.map(
    (one, order): PreparedPool => ({
      pool: { name: one.name, order },
      takesOperation: choosesOperations(one) ? operationMatcher(one) : undefined,
      takesCaller: choosesCallers(one) ? callerMatcher(one) : undefined,
    }),
  );
  return {
    ofOperation: (operation) => firstOf(prepared.filter(({ takesOperation }) => takesOperation?.(operation) ?? true)),
    ofRejections: firstOf(prepared.filter(({ takesOperation }) => !takesOperation)) ?? (() => undefined),
    mayTake: (name, caller) =>
      prepared.some(({ pool, takesCaller }) => pool.name === name && (takesCaller?.(caller) ?? true)),
  };
}

interface PreparedPool {
  pool: MatchedPool;
  /** Undefined if the pool handles all operations. */
  takesOperation: ((operation: OperationFacts) => boolean) | undefined;
  takesCaller: ((caller: PoolCaller) => boolean) | undefined;
}

function firstOf(pools: readonly PreparedPool[]): PoolOfCaller | undefined {
  const [first] = pools;
  if (!first) return undefined;
  // Fast path: most pools have no caller patterns, so that most requests need no check of the
  // caller.
  if (!first.takesCaller) return () => first.pool;
  return (caller) => pools.find(({ takesCaller }) => takesCaller?.(caller) ?? true)?.pool;
}

function operationMatcher({ operationTypes = [], operationNames = [], fields = [] }: PoolPatterns) {
  const patterns = fields.map((field) => parseFieldPattern(field) as FieldPattern);
  return ({ type, name, coordinates }: OperationFacts) =>
    operationTypes.includes(type) ||
    (name !== undefined && operationNames.some((glob) => matchesGlob(glob, name))) ||
    patterns.some((field) => field.wholeOperation || coordinates.some(field.matches));
}

function callerMatcher({ anonymous = false, ...patterns }: PoolPatterns) {
  const [users, tenants, tiers] = [patterns.users, patterns.tenants, patterns.tiers].map((ids) => new Set(ids));
  return ({ subject: { user, tenant, apiKey }, tier }: PoolCaller) =>
    (user !== undefined && users!.has(user)) ||
    (tenant !== undefined && tenants!.has(tenant)) ||
    tiers!.has(tier) ||
    (anonymous && user === undefined && apiKey === undefined);
}

/** Returns the mistakes in the patterns of pools and in their names, one line each. */
export function findPoolMistakes(pools: readonly NamedPatterns[]): string[] {
  const names = pools.map(({ name }) => name);
  const several = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  return [
    ...pools.flatMap((pool) => findPatternProblems(pool).map((problem) => `pools.${pool.name}: ${problem}`)),
    ...[...several].map((name) => `pools.${name}: expected once, got it several times`),
  ];
}

/**
 * Whether the text matches the glob. It uses no regular expression: each piece between stars is
 * searched once, from left to right.
 */
export function matchesGlob(glob: string, text: string): boolean {
  const [head = '', ...rest] = glob.split('*');
  const tail = rest.pop();
  if (tail === undefined) return glob === text;
  if (text.length < head.length + tail.length || !text.startsWith(head) || !text.endsWith(tail)) return false;
  const end = text.length - tail.length;
  let at = head.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found < 0 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}
