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

/** Partitions of which everything is noticed that passes here and changes them. */
export interface Watched {
  /** Their changes make void what is known: that of the caller, and those of the limits that refused. */
  partitions: readonly string[];
  /** Those of the limits that refused. */
  refusing: ReadonlySet<string>;
  /** Of each limit, whether its partition is among them. */
  isWatched: readonly boolean[];
}

/** What Redis has found, and where everything was noticed since. */
export interface KnownDenial extends Watched {
  found: FoundDenial | undefined;
}

export const NONE: ReadonlySet<string> = new Set();

/**
 * The caller's own, as what they still may do changes what is told of the limits that did not refuse, and those of the limits
 * that refused. Of what a caller shares with others, and did not refuse, every charge of those others would make it void.
 */
export function partitionsToWatch({ subject, limits }: CheckedRequest, result: EngineResult): Watched {
  const partitionOf = keysFor(subject);
  const partitions = new Set<string>();
  const refusing = new Set<string>();
  let offset = 0;
  for (const limit of limits) {
    const refuses = result.numbers[offset]! < 0;
    if (limit.scope === 'USER' || refuses) partitions.add(partitionOf(limit));
    if (refuses) refusing.add(partitionOf(limit));
    offset += limit.algorithm.numberCount;
  }
  const isWatched = limits.map((limit) => partitions.has(partitionOf(limit)));
  return { partitions: [...partitions], refusing, isWatched };
}

/** Whether others refuse, or where nothing was heard of what happens to them. */
export function isNews(known: Watched, { partitions, refusing }: Watched): boolean {
  for (const partition of refusing) if (!known.refusing.has(partition)) return true;
  return partitions.some((partition) => !known.partitions.includes(partition));
}

/** How Redis would deny a request at a moment; undefined: it has room then, or that cannot be told. Changes nothing that is known. */
export function foretellDenial(known: KnownDenial, request: CheckedRequest, atMs: number): EngineResult | undefined {
  if (known.found === undefined) return undefined;
  const found = knownFor(known.found, request.costs);
  const sinceMs = msSince(found, atMs);
  const { told } = found;
  const clock = clockAfter(found, sinceMs);
  if (told !== undefined && told.clock === clock && isEqual(told.costs, request.costs)) return told.result;
  const denial = projectDenial(found, request, sinceMs);
  if (denial === undefined || !refusesWhereWatched(known, request, denial)) return undefined;
  denial.states = toLimitStates(request, denial);
  if (found.result.times === undefined) found.told = { clock, costs: request.costs, result: denial };
  return denial;
}

/**
 * The same of a request that goes to Redis where it has room: what is known from then on is what it leaves. Once for each
 * request, as the next one meets that.
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
    known.found = { ...found, request, result: left, asOfMs: found.asOfMs + sinceMs, told: undefined, assumed };
  }
  return undefined;
}

/** What of a charge that is taken to be admitted may be refused all the same; undefined: nothing, as all of it is watched. */
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

/** What else has no room may have got it from others since: that alone denies no caller. */
function refusesWhereWatched({ isWatched }: Watched, { limits }: CheckedRequest, { numbers }: EngineResult): boolean {
  let offset = 0;
  for (let i = 0; i < limits.length; i++) {
    const limit = limits[i]!;
    if (isWatched[i] && numbers[offset]! < 0 && !limit.shadow) return true;
    offset += limit.algorithm.numberCount;
  }
  return false;
}
