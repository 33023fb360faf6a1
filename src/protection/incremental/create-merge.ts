import type { ExecutionResult, GraphQLFormattedError } from 'graphql';
import { isObject } from '../../runtime/is-object.js';
import { GrowingData, type Path } from './growing-data.js';
import { sizeOf } from './size-of.js';

/** One part of an incremental response, in any format. */
export type ResponsePart = Readonly<Record<string, unknown>>;

/** The parts of one response, merged into a single result so that it can be counted. */
export interface MergedParts {
  /** Adds a part. Returns whether it is the last one. */
  add(part: ResponsePart): boolean;
  /** Returns the merged result of the parts. */
  result(): MergedResult;
}

export interface MergedResult extends Pick<ExecutionResult, 'errors'> {
  data: GrowingData;
  /** Paths of the fragments and lists of which a part failed, so that it is unknown what was executed. */
  failed: readonly Path[];
  /**
   * Whether the data does not show which fields were executed. Also true if no part was received,
   * or if the merge did not keep all parts.
   */
  isUnknown: boolean;
  /** Whether the last part was added. */
  isComplete: boolean;
}

/** Without a maximum, the parts of a stream that never ends would fill the memory. */
export const MAX_KEPT_BYTES = 8 * 2 ** 20;

/**
 * Creates a merge of the parts of a response. It supports all drafts of incremental delivery:
 * entries of `incremental` with a `path` (2022) and entries with the `id` of a pending entry
 * (2023). It also supports parts that are entries themselves (before 2022).
 *
 * A field that arrives in two parts was executed twice, so its cost is unknown. The parts themselves
 * do not change.
 * @param maxKeptBytes maximum estimated size of the parts that are kept. The part that exceeds it is
 * the last one that is kept. Infinity if the caller bounds the parts.
 */
export function createMerge(maxKeptBytes: number = MAX_KEPT_BYTES): MergedParts {
  let data: GrowingData | undefined;
  const errors: GraphQLFormattedError[] = [];
  const pending = new Map<unknown, Path>();
  const failed: Path[] = [];
  let isUnknown = false;
  let isComplete = false;
  let keptBytes = 0;

  function addErrors(given: unknown): void {
    if (given === undefined || given === null) return;
    if (Array.isArray(given) && given.every(isObject)) errors.push(...(given as unknown as GraphQLFormattedError[]));
    else isUnknown = true;
  }

  function pathOf({ id, path, subPath }: ResponsePart): Path | undefined {
    if (id === undefined) return toPath(path ?? []);
    const begun = pending.get(id);
    const below = toPath(subPath ?? []);
    return begun && below && [...begun, ...below];
  }

  function addEntry(entry: ResponsePart): void {
    const path = pathOf(entry);
    if (path === undefined) isUnknown = true;
    // A fragment or list that failed has no data, only errors, which belong to a position in it.
    else if (entry['data'] === null || entry['items'] === null) failed.push(path);
    else {
      addErrors(entry['errors']);
      if (!data?.add(path, entry)) isUnknown = true;
    }
  }

  function addLater(part: ResponsePart): void {
    for (const entry of listOf(part['incremental'])) addEntry(entry);
    if ('path' in part || 'items' in part || isObject(part['data'])) addEntry(part);
    else addErrors(part['errors']);
    for (const one of listOf(part['completed'])) {
      const path = pending.get(one['id']);
      if (one['errors'] === undefined) continue;
      if (path) failed.push(path);
      else isUnknown = true;
    }
  }

  function listOf(value: unknown): readonly ResponsePart[] {
    if (value === undefined || value === null) return [];
    if (Array.isArray(value) && value.every(isObject)) return value;
    isUnknown = true;
    return [];
  }

  function keep(part: ResponsePart): void {
    if (maxKeptBytes !== Number.POSITIVE_INFINITY) keptBytes += sizeOf(part, maxKeptBytes - keptBytes);
    // Read `pending` before the entries: some parts announce an entry together with its first data.
    for (const { id, path } of listOf(part['pending'])) {
      const known = toPath(path);
      if (known) pending.set(id, known);
    }
    if (data) addLater(part);
    else {
      data = new GrowingData(part['data']);
      addErrors(part['errors']);
    }
  }

  return {
    add(part) {
      if (keptBytes <= maxKeptBytes) keep(part);
      else isUnknown = true;
      isComplete = part['hasNext'] !== true;
      return isComplete;
    },
    result: () => ({
      data: data ?? new GrowingData(undefined),
      ...(errors.length > 0 && { errors: errors as unknown as NonNullable<ExecutionResult['errors']> }),
      failed,
      isUnknown: isUnknown || data === undefined,
      isComplete,
    }),
  };
}

function toPath(value: unknown): Path | undefined {
  const isPath = Array.isArray(value) && value.every((key) => typeof key === 'string' || typeof key === 'number');
  return isPath ? value : undefined;
}
