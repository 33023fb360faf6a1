import type { GraphQLFormattedError } from 'graphql';
import { type GraphqlResult, isObject, toResult } from '../upstream/read-answer.js';
import { mergeEntry, type Path } from './merge-entry.js';

/** The parts of one answer, put together to what it would have been in one piece, so that it can be counted. */
interface MergedParts {
  /** @returns what the part is by itself, to be written with another member; undefined: it is none */
  add(payload: string): { part: Record<string, unknown>; isLast: boolean } | undefined;
  /** Undefined where what came does not tell what ran. */
  result(): GraphqlResult | undefined;
}

/**
 * Reads all drafts of incremental delivery: entries of `incremental` with a `path` (2022), those with the `id` of a pending one (2023),
 * and parts that are an entry themselves (before). What came twice was executed twice, and of a fragment that failed it is not
 * known how much was: then there is no result.
 */
export function createMerge(): MergedParts {
  let first: GraphqlResult | undefined;
  const errors: GraphQLFormattedError[] = [];
  const pending = new Map<unknown, Path>();
  let isKnown = true;

  function addErrors(said: unknown): void {
    if (said === undefined || said === null) return;
    if (Array.isArray(said) && said.every(isObject)) errors.push(...(said as unknown as GraphQLFormattedError[]));
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
      // Before its entries: some are announced with what is sent first of them.
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
