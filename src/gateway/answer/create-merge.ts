import type { GraphQLFormattedError } from 'graphql';
import { type GraphqlResult, isObject, toResult } from '../upstream/read-answer.js';
import { mergeEntry, type Path } from './merge-entry.js';

/** The parts of one response, merged into a single result so that it can be counted. */
interface MergedParts {
  /**
   * Adds a part.
   * @returns the parsed part, to which the calling code may add a member; undefined if the payload
   * is invalid
   */
  add(payload: string): { part: Record<string, unknown>; isLast: boolean } | undefined;
  /** Returns the merged result; undefined if the parts do not show which fields were executed. */
  result(): GraphqlResult | undefined;
}

/**
 * Creates a merge of the parts of a response. It supports all drafts of incremental delivery:
 * entries of `incremental` with a `path` (2022) and entries with the `id` of a pending entry
 * (2023). It also supports parts that are entries themselves (before 2022).
 *
 * There is no result if a value was received twice, because it was executed twice. There is also no
 * result if a fragment failed, because it is unknown how much of it was executed.
 */
export function createMerge(): MergedParts {
  let first: GraphqlResult | undefined;
  const errors: GraphQLFormattedError[] = [];
  const pending = new Map<unknown, Path>();
  let isKnown = true;

  function addErrors(given: unknown): void {
    if (given === undefined || given === null) return;
    if (Array.isArray(given) && given.every(isObject)) errors.push(...(given as unknown as GraphQLFormattedError[]));
    else isKnown = false;
  }

  function pathOf({ id, path, subPath }: Record<string, unknown>): Path | undefined {
    if (id === undefined) return toPath(path ?? []);
    const begun = pending.get(id);
    const below = toPath(subPath ?? []);
    return begun && below && [...begun, ...below];
  }

  function addEntry(entry: Record<string, unknown>): void {
    addErrors(entry['errors']);
    const path = pathOf(entry);
    if (path === undefined || !mergeEntry(first?.data, path, entry)) isKnown = false;
  }

  function addLater(part: Record<string, unknown>): void {
    for (const entry of listOf(part['incremental'])) addEntry(entry);
    if ('path' in part || 'items' in part || isObject(part['data'])) addEntry(part);
    else addErrors(part['errors']);
    if (listOf(part['completed']).some((one) => one['errors'] !== undefined)) isKnown = false;
  }

  function listOf(value: unknown): readonly Record<string, unknown>[] {
    if (value === undefined || value === null) return [];
    if (Array.isArray(value) && value.every(isObject)) return value;
    isKnown = false;
    return [];
  }

  return {
    add(payload) {
      let part: unknown;
      try {
        part = JSON.parse(payload);
      } catch {
        return undefined;
      }
      if (!isObject(part)) return undefined;
      // Read `pending` before the entries: some parts announce an entry together with its first
      // data.
      for (const { id, path } of listOf(part['pending'])) {
        const known = toPath(path);
        if (known) pending.set(id, known);
      }
      if (first) addLater(part);
      else {
        first = toResult(part);
        if (first === undefined) return undefined;
        addErrors(first.errors);
      }
      return { part, isLast: part['hasNext'] !== true };
    },
    result() {
      if (first === undefined || !isKnown) return undefined;
      return { ...(first.data !== undefined && { data: first.data }), ...(errors.length > 0 && { errors }) };
    },
  };
}

function toPath(value: unknown): Path | undefined {
  const isPath = Array.isArray(value) && value.every((key) => typeof key === 'string' || typeof key === 'number');
  return isPath ? value : undefined;
}
