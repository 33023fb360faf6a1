import { show } from '../../model/describe-problems.js';
import {
  ALGORITHMS,
  type Algorithm,
  type LimitParameters,
  MAX_COST,
  MAX_COUNT,
  MAX_DELAY_MS,
  MAX_LIMITS,
  type OnUnavailable,
  PARAMETERS,
  PRECISIONS,
  type Precision,
  STRICT_PARTS,
  wholeLimitOf,
} from '../../model/limit-parameters.js';
import { REGION_MODES, type RegionMode, type RegionOptions } from '../../model/region-mode.js';
import { SCOPES, type Scope } from '../../model/subject.js';
import { didYouMean } from '../../options/nearest-name.js';
import { algorithmOf } from '../algorithms/algorithm-of.js';
import type { CounterIdentity, Limit } from '../algorithms/limit-algorithm.js';
import { modeInRegion, type RegionLimits } from '../regions/mode-in-region.js';
import type { MovedShares } from '../regions/moved-shares.js';
import { shareOfRegion, splitLimit } from '../regions/split-limit.js';
import { createMovedLimits, noteWhole } from './create-moved-limits.js';
import { identityKey, identityOf } from './identity-of.js';
import { isLeasable } from './is-leasable.js';
import { invalidMember, parameterReader } from './parameter-reader.js';
import { noteSource, sourceOf } from './source-of.js';

/**
 * One limit of one charge, with the cost that the operation charges to it. All numbers are whole.
 * Unknown members are rejected when the limit is compiled, that is, when it is new or has changed.
 * Parameters of other algorithms are ignored.
 */
export interface LimitCharge extends LimitParameters {
  /**
   * Identifies the counter, together with `scope`, `algorithm` and, for windows, `windowMs` and
   * `strict`, or `every` and whether there is a `carryOver`. A change of other parameters keeps the
   * counter.
   */
  id: string;
  scope: Scope;
  /**
   * Cost of the operation, 0 to 2^31 - 1. With zero, the limit is only read, and never denies the
   * operation.
   */
  cost: number;
  /**
   * Mode of the limit. With `SHADOW`, the limit is evaluated and reported, but never denies.
   * @default 'ENFORCE'
   */
  mode?: 'ENFORCE' | 'SHADOW';
  /**
   * Whether denied operations are counted too, for abuse rules. Not for `CONCURRENCY`.
   * @default false
   */
  countDenied?: boolean;
  /**
   * Buckets: maximum debt in tokens. Debt arises when an actual cost exceeds the estimate by more
   * than the tokens that are left, or when `countDenied` counts an operation.
   * @default capacity
   */
  maxDebt?: number;
  /**
   * Buckets: maximum delay, in milliseconds. An operation that lacks tokens is admitted with a
   * delay, if the delay is at most this long.
   * @default 0
   */
  maxDelayMs?: number;
  /** Decision of this limit while Redis is unavailable. @default 'LOCAL' */
  onUnavailable?: OnUnavailable;
  /**
   * Accuracy of the count. With `LEASED`, an instance that often charges this counter leases tokens
   * from Redis for a tenth of a second. It then decides without a call to Redis. docs/leases.md
   * describes how exact that is, and on which limits `LEASED` has no effect.
   * @default 'EXACT'
   */
  precision?: Precision;
  /**
   * Way in which the Redis servers of several regions enforce the limit. With `SPLIT`, the Redis of
   * each region enforces the share that `region` defines. With `WATCH`, it enforces the whole limit,
   * and adds what the other regions have reported. Without `region`, it has no effect.
   * @default the `tierMode` of `region`, or 'CENTRAL'
   */
  regionMode?: RegionMode;
  /**
   * Rank of the limit; lower is narrower. If several limits deny, `deniedBy` names the one with the
   * lowest rank or, if the ranks are equal, with the narrowest scope. @default 0
   */
  rank?: number;
}

const MAX_COMPILED = 10_000;

const PREPARED = Symbol('prepared');

/**
 * A charge whose limit is already compiled. Copies share the compiled limit, so a copy may differ
 * only in its cost.
 */
interface PreparedCharge extends LimitCharge {
  [PREPARED]?: Limit;
}

export interface LimitCompiler {
  /**
   * Returns the compiled limit of a charge. `index` is its position among the limits of the
   * request.
   */
  compile(charge: LimitCharge, index: number): Limit;
  /**
   * Returns a copy of the charge that contains its compiled limit, so that later charges need no
   * look-up. The calling code may copy the result, but may change only the cost.
   */
  prepare(charge: LimitCharge): LimitCharge;
}

interface Compiled {
  readonly source: LimitCharge;
  readonly limit: Limit;
  readonly next: Compiled | undefined;
}

/**
 * Validates limits and caches the result per id: the next charge of a limit needs only a look-up
 * and a comparison. Several variants of one id, such as the bucket of each tier, are cached at the
 * same time.
 * @param region region whose shares limits with `regionMode: 'SPLIT'` get
 * @param moves what the regions have moved of their shares
 */
export function createLimitCompiler(region?: RegionOptions, moves?: MovedShares): LimitCompiler {
  const split: RegionLimits | undefined = region && {
    name: region.name,
    share: shareOfRegion(region),
    tierMode: region.tierMode ?? 'CENTRAL',
    isExchanged: region.redis !== undefined,
  };
  let known = new Map<string, Compiled>();
  let identities = new Map<string, CounterIdentity>();
  let count = 0;
  /** Limits of the previous charge by index: most charges have the same limit at an index. */
  const latest: Compiled[] = [];

  /**
   * Returns the compiled limit of a charge. In most cases it is the limit of the previous charge.
   * The other cases are in `findOrCompile`, because V8 inlines this function into the loop over the
   * limits only if it is short.
   */
  function compile(charge: LimitCharge, index: number): Limit {
    const prepared = (charge as PreparedCharge)[PREPARED];
    if (prepared !== undefined) return prepared;
    const guess = latest[index];
    if (guess !== undefined && guess.source.id === charge.id && isSame(guess, charge)) return guess.limit;
    return findOrCompile(charge, index);
  }

  function findOrCompile(charge: LimitCharge, index: number): Limit {
    for (let one = known.get(charge.id); one !== undefined; one = one.next) {
      if (!isSame(one, charge)) continue;
      if (index < MAX_LIMITS) latest[index] = one;
      return one.limit;
    }
    const source = { ...charge };
    const limit = compileLimit(source, index, identities, split);
    if (++count > MAX_COMPILED) {
      // Drops the identities together with the limits. Counters that refer to a dropped identity
      // are still found, because identities are compared by their ids, not as objects.
      known = new Map();
      identities = new Map([[identityKey(source), limit.identity]]);
      count = 1;
    }
    const compiled = { source, limit, next: known.get(charge.id) };
    known.set(charge.id, compiled);
    if (index < MAX_LIMITS) latest[index] = compiled;
    return limit;
  }

  const moved =
    split &&
    moves &&
    createMovedLimits(moves, (limit, percent) => {
      const share = { ...split.share, moved: percent, floor: moves.floor };
      return compileLimit(sourceOf(limit) as LimitCharge, 0, identities, { ...split, share });
    });

  return {
    compile: moved ? (charge, index) => moved(compile(charge, index)) : compile,
    prepare(charge) {
      const prepared: PreparedCharge = { ...charge, [PREPARED]: compile(charge, 0) };
      return prepared;
    },
  };
}

/**
 * Compares limits that refill and other limits in separate functions: V8 reads members faster if
 * all objects have the same shape.
 */
function isSame({ source, limit }: Compiled, charge: LimitCharge): boolean {
  if (source.algorithm !== charge.algorithm || source.scope !== charge.scope) return false;
  if (limit.refillPeriodMs > 0) return isSameBucket(source, charge);
  return isSameWindow(source, charge) && (limit.calendar === undefined || isSameCalendar(source, charge));
}

function isSameBucket(a: LimitCharge, b: LimitCharge): boolean {
  return (
    a.capacity === b.capacity &&
    a.refillAmount === b.refillAmount &&
    a.refillPeriodMs === b.refillPeriodMs &&
    a.mode === b.mode &&
    a.countDenied === b.countDenied &&
    a.maxDebt === b.maxDebt &&
    a.maxDelayMs === b.maxDelayMs &&
    a.onUnavailable === b.onUnavailable &&
    a.precision === b.precision &&
    a.regionMode === b.regionMode &&
    a.rank === b.rank
  );
}

function isSameWindow(a: LimitCharge, b: LimitCharge): boolean {
  return (
    a.amount === b.amount &&
    a.windowMs === b.windowMs &&
    a.strict === b.strict &&
    a.capacity === b.capacity &&
    a.leaseMs === b.leaseMs &&
    a.maxWaitMs === b.maxWaitMs &&
    a.maxQueue === b.maxQueue &&
    a.mode === b.mode &&
    a.countDenied === b.countDenied &&
    a.onUnavailable === b.onUnavailable &&
    a.precision === b.precision &&
    a.regionMode === b.regionMode &&
    a.rank === b.rank
  );
}

function isSameCalendar(a: LimitCharge, b: LimitCharge): boolean {
  return (
    a.every === b.every &&
    a.timeZone === b.timeZone &&
    a.anchorDay === b.anchorDay &&
    a.anchorTime === b.anchorTime &&
    a.anchor === b.anchor &&
    a.hardCap === b.hardCap &&
    a.carryOver?.percent === b.carryOver?.percent &&
    a.carryOver?.max === b.carryOver?.max
  );
}

/** Rejects a cost that is not a whole number of tokens: NaN would make a caller unlimited. */
export function checkCost(charge: LimitCharge, index: number): number {
  const { cost } = charge;
  if (typeof cost !== 'number' || !(cost >= 0 && cost <= MAX_COST) || Math.floor(cost) !== cost)
    rejectCost(charge, index);
  return cost;
}

function rejectCost(charge: LimitCharge, index: number): never {
  throw invalidMember(charge, index, 'cost', `a whole number from 0 to ${MAX_COST}`, charge.cost);
}

function compileLimit(
  charge: LimitCharge,
  index: number,
  identities: Map<string, CounterIdentity>,
  region?: RegionLimits,
): Limit {
  if (typeof charge.id !== 'string' || charge.id === '') {
    throw new TypeError(`limits[${index}]: id: expected a string that is not empty, got ${show(charge.id)}`);
  }
  const fail = (field: string, expected: string, got: unknown) => invalidMember(charge, index, field, expected, got);
  const oneOf = <T>(field: keyof LimitCharge, values: readonly T[]): T => {
    const value = values.find((candidate) => candidate === charge[field]);
    if (value !== undefined) return value;
    throw fail(field, `one of ${values.join(', ')}`, charge[field]);
  };
  const flag = (field: keyof LimitCharge): boolean =>
    charge[field] !== undefined && String(oneOf(field, [true, false])) === 'true';

  const scope = oneOf('scope', SCOPES);
  const name = oneOf('algorithm', ALGORITHMS);
  rejectUnknownMembers(charge, index, name);
  const algorithm = algorithmOf(name, name === 'SLIDING_WINDOW_COUNTER' && flag('strict'));
  const regionMode = charge.regionMode === undefined ? undefined : oneOf('regionMode', REGION_MODES);
  const effectiveMode = region === undefined ? regionMode : modeInRegion(region, regionMode, name);
  const split = region !== undefined && effectiveMode === 'SPLIT' ? splitLimit(charge, region.share) : undefined;
  // Messages about mistakes show the numbers of the whole limit.
  const whole = split && algorithm.parse(parameterReader(charge, index));
  const {
    capacity,
    leaky = false,
    hasSlots = false,
    ...derived
  } = algorithm.parse(parameterReader(charge, index, split));
  const { refillAmount = 0, refillPeriodMs = 0, windowMs = 0, maxCount = MAX_COUNT } = derived;
  const { maxDebt = 0, maxDelayMs = 0, mayDelay = false, maxWaitMs = 0, calendar } = derived;
  const shadow = charge.mode !== undefined && oneOf('mode', ['ENFORCE', 'SHADOW']) === 'SHADOW';
  const { rank = 0 } = charge;
  if (typeof rank !== 'number' || Number.isNaN(rank)) throw fail('rank', 'a number', rank);

  // One literal without a spread: V8 stores spread properties elsewhere, and every charge reads
  // limits.
  const limit: { -readonly [Name in keyof Limit]: Limit[Name] } = {
    id: charge.id,
    scope,
    identity: identityOf(charge, identities),
    algorithm,
    shape: algorithm.shape,
    leaky,
    hasSlots,
    capacity,
    wholeCapacity: capacity,
    capacityUnits: capacity * refillPeriodMs,
    promptUnits: promptUnitsOf(capacity * refillPeriodMs, refillAmount, leaky),
    refillAmount,
    refillPeriodMs,
    calendar,
    windowMs,
    partMs: Math.ceil(windowMs / STRICT_PARTS),
    maxCount,
    shadow,
    countDenied: flag('countDenied') && !hasSlots,
    maxDebt,
    maxDelayMs,
    mayDelay,
    maxWaitMs: shadow ? 0 : maxWaitMs,
    maxQueue: derived.maxQueue ?? 0,
    onUnavailable:
      charge.onUnavailable === undefined
        ? ('LOCAL' as const)
        : oneOf('onUnavailable', ['LOCAL', 'OPEN', 'CLOSED'] as const),
    rank,
    isLeased: false,
    part: split && { region: region!.name, wholeLimit: wholeLimitOf(charge), parameters: split },
  };
  limit.isLeased = charge.precision !== undefined && oneOf('precision', PRECISIONS) === 'LEASED' && isLeasable(limit);
  if (whole !== undefined) noteWhole(limit, { ...limit, maxDelayMs, ...whole });
  noteSource(limit, effectiveMode === undefined ? charge : { ...charge, regionMode: effectiveMode });
  return limit;
}

/**
 * Returns the used amount after a charge, in units, up to which the fast path admits the charge
 * without computing a wait. An operation in a leaky bucket waits for those ahead of it, and is
 * denied if the wait is longer than a timer can run.
 */
function promptUnitsOf(capacityUnits: number, refillAmount: number, leaky: boolean): number {
  return leaky ? Math.min(capacityUnits, MAX_DELAY_MS * refillAmount) : capacityUnits;
}

const MEMBERS_OF_ALL = [
  'id',
  'scope',
  'algorithm',
  'cost',
  'mode',
  'countDenied',
  'onUnavailable',
  'precision',
  'regionMode',
  'rank',
] as const satisfies readonly (keyof LimitCharge)[];

const ANY_MEMBER: ReadonlySet<string> = new Set([...MEMBERS_OF_ALL, ...ALGORITHMS.flatMap(parametersOf)]);

function parametersOf(algorithm: Algorithm): readonly string[] {
  const { needed, allowed } = PARAMETERS[algorithm];
  return [...needed, ...allowed, ...(isBucket(algorithm) ? ['maxDelayMs'] : [])];
}

/**
 * Rejects unknown members: a misspelled parameter would produce a different limit from the intended
 * one. Parameters of other algorithms are ignored, because limits may share a set of parameters.
 */
function rejectUnknownMembers(charge: LimitCharge, index: number, algorithm: Algorithm): void {
  for (const [name, value] of Object.entries(charge)) {
    if (value === undefined || ANY_MEMBER.has(name)) continue;
    const parameters = parametersOf(algorithm);
    const known = [...MEMBERS_OF_ALL, ...parameters];
    throw new TypeError(
      `limits[${index}] ${show(charge.id)}: ${name}: unknown member, ${algorithm} takes ${parameters.join(', ')}${didYouMean(name, known)}`,
    );
  }
}

function isBucket(algorithm: Algorithm): boolean {
  return algorithm === 'TOKEN_BUCKET' || algorithm === 'LEAKY_BUCKET';
}
