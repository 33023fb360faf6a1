import type { CheckedRequest, EngineResult } from '../charge/checked-request.js';
import { toLimitStates } from '../charge/to-limit-states.js';
import { keysFor } from '../redis/keys-for.js';
import {
  type Assumed,
  clockAfter,
  type FoundDenial,
  knownFor,
  projectAdmission,
  projectDenial,
} from './project-denial.js';

/**
 * The partitions that are watched for a remembered denial. A change of them by this process
 * invalidates it.
 */
export interface Watched {
  /** All watched partitions: those of the caller and those of the limits that denied. */
  partitions: readonly string[];
  /** Partitions of the limits that denied. */
  denying: ReadonlySet<string>;
  /** For each limit, whether its partition is watched. */
  isWatched: readonly boolean[];
}

/** Result of Redis, and the partitions that have been watched since then. */
export interface KnownDenial extends Watched {
  found: FoundDenial | undefined;
}

export const NONE: ReadonlySet<string> = new Set();

/**
 * Returns the partitions to watch: the caller's own (scope `USER`) and those of the limits that
 * denied. A change of the caller's own partitions changes the reported state of limits that did not
 * deny. Partitions that are shared with others and did not deny are not watched: every charge of
 * another caller would invalidate the entry.
 */
export function partitionsToWatch({ subject, limits }: CheckedRequest, result: EngineResult): Watched {
  const partitionOf = keysFor(subject);
  const partitions = new Set<string>();
  const denying = new Set<string>();
  let offset = 0;
  for (const limit of limits) {
    const denies = result.numbers[offset]! < 0;
    if (limit.scope === 'USER' || denies) partitions.add(partitionOf(limit));
    if (denies) denying.add(partitionOf(limit));
    offset += limit.algorithm.numberCount;
  }
  const isWatched = limits.map((limit) => partitions.has(partitionOf(limit)));
  return { partitions: [...partitions], denying, isWatched };
}

/**
 * Returns whether a partition denies now that did not deny before, or must be watched now and was
 * not watched before.
 */
export function isNews(known: Watched, { partitions, denying }: Watched): boolean {
  for (const partition of denying) if (!known.denying.has(partition)) return true;
  return partitions.some((partition) => !known.partitions.includes(partition));
}

/**
 * Returns the denial that Redis would return for a request at `atMs`. Returns undefined if the
 * request has room at that time, or if this is unknown. Does not change `known`.
 */
export function foretellDenial(known: KnownDenial, request: CheckedRequest, atMs: number): EngineResult | undefined {
  if (known.found === undefined) return undefined;
  const found = knownFor(known.found, request.costs);
  const sinceMs = msSince(found, atMs);
  const { latest } = found;
  const clock = clockAfter(found, sinceMs);
  if (latest !== undefined && latest.clock === clock && isEqual(latest.costs, request.costs)) return latest.result;
  const denial = projectDenial(found, request, sinceMs);
  if (denial === undefined || !deniesWhereWatched(known, request, denial)) return undefined;
  denial.states = toLimitStates(request, denial);
  if (found.result.times === undefined) found.latest = { clock, costs: request.costs, result: denial };
  return denial;
}

/**
 * Works like `foretellDenial`, for a request that is sent to Redis if it has room. In this case, it
 * also stores the state after the request, for the next request. Call it only once for each
 * request.
 */
export function foretell(known: KnownDenial, request: CheckedRequest, atMs: number): EngineResult | undefined {
  const { found } = known;
  if (found === undefined) return undefined;
  const denial = foretellDenial(known, request, atMs);
  if (denial !== undefined) return denial;
  const sinceMs = msSince(found, atMs);
  const left = projectAdmission(found, request, sinceMs);
  if (left) {
    const assumed = assume(known, found, request);
    known.found = { ...found, request, result: left, asOfMs: found.asOfMs + sinceMs, latest: undefined, assumed };
  }
  return undefined;
}

/**
 * Returns the assumption that a charge in flight will be admitted, although Redis may still deny it
 * on limits that are not watched. Returns undefined if all of its limits are watched.
 */
function assume({ isWatched }: Watched, found: FoundDenial, { costs }: CheckedRequest): Assumed | undefined {
  const { assumed } = found;
  const most = costs.map((cost, i) => (isWatched[i] ? 0 : Math.max(cost, assumed?.costs[i] ?? 0)));
  return most.every((cost) => cost === 0) ? undefined : { costs: most, before: assumed?.before ?? found };
}

function msSince({ asOfMs }: FoundDenial, atMs: number): number {
  return Math.max(0, atMs - asOfMs);
}

function isEqual(a: readonly number[], b: readonly number[]): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/**
 * Returns whether a watched limit denies. Other callers may have made room in an unwatched limit,
 * so an unwatched limit alone is no reason for a denial.
 */
function deniesWhereWatched({ isWatched }: Watched, { limits }: CheckedRequest, { numbers }: EngineResult): boolean {
  let offset = 0;
  for (let i = 0; i < limits.length; i++) {
    const limit = limits[i]!;
    if (isWatched[i] && numbers[offset]! < 0 && !limit.shadow) return true;
    offset += limit.algorithm.numberCount;
  }
  return false;
}
