import type { ResponseError } from '../../cost/cost-plan.js';
import { isObject } from '../../runtime/is-object.js';
import { createFieldCollector, type IncrementalOperation, type Selections } from './create-field-collector.js';
import type { MergedResult } from './create-merge.js';
import type { GrowingData, Path } from './growing-data.js';

/** Maximum number of positions that are marked for one response. */
const MAX_MARKED = 10_000;

/**
 * Maximum number of fields of objects that are compared with the selections. A client that
 * disconnects must not block the process, however large the response is.
 */
export const MAX_COMPARED = 200_000;

/**
 * Result if the outstanding positions are unknown. The response then costs its estimated cost, or
 * the cost of its content if that is higher.
 */
const UNKNOWN: readonly ResponseError[] = [{}];

/**
 * Returns the positions whose parts were not received. They count at their estimated cost, because
 * their resolvers may have run:
 * - selected fields that are absent, which this function sets to null
 * - lists whose stream failed, and, before the last part, all lists with `@stream`. The items that
 *   such a list lacks up to its estimated size count at their estimated cost.
 *
 * Returns undefined if nothing was received.
 */
export function markOutstanding(
  { data, failed, isUnknown, isComplete }: MergedResult,
  operation: IncrementalOperation,
): readonly ResponseError[] | undefined {
  if (isUnknown) return data.data === undefined ? undefined : UNKNOWN;
  if (isComplete && failed.length === 0) return [];
  const { schema, operation: definition } = operation;
  const marked: ResponseError[] = failedLists(data, failed).map((path) => ({ path, isOpenList: true }));
  let compared = 0;
  const path: (string | number)[] = [];
  const fieldsOf = createFieldCollector(operation, (selections) => {
    compared += selections;
  });

  function isTooMuch(): boolean {
    return compared > MAX_COMPARED || marked.length > MAX_MARKED;
  }

  function visitObject(object: Record<string, unknown>, selections: Selections): void {
    for (const { responseName, isStreamed, mayFollow, below } of fieldsOf(selections)) {
      compared++;
      if (isTooMuch()) return;
      const value = Object.hasOwn(object, responseName) ? object[responseName] : undefined;
      if (value === undefined && !mayFollow) continue;
      path.push(responseName);
      if (value === undefined) {
        data.set(path.slice(0, -1), responseName, null);
        marked.push({ path: [...path] });
      } else {
        if (!isComplete && isStreamed && Array.isArray(value)) marked.push({ path: [...path], isOpenList: true });
        if (below) visitValue(value, below);
      }
      path.pop();
    }
  }

  function visitValue(value: unknown, selections: Selections): void {
    if (Array.isArray(value)) {
      for (let i = 0; i < value.length && !isTooMuch(); i++) {
        compared++;
        path.push(i);
        visitValue(value[i], selections);
        path.pop();
      }
    } else if (isObject(value)) visitObject(value, selections);
  }

  const type = schema.getRootType(definition.operation) ?? undefined;
  visitValue(data.data, { sets: [definition.selectionSet], type });
  return isTooMuch() ? UNKNOWN : marked;
}

/**
 * Returns the paths of the lists whose stream failed. Some formats name the list, and some the index
 * of the item that failed.
 */
function failedLists(data: GrowingData, failed: readonly Path[]): Path[] {
  return failed.flatMap((path) => {
    const list = typeof path.at(-1) === 'number' && data.valueAt(path) === undefined ? path.slice(0, -1) : path;
    return Array.isArray(data.valueAt(list)) ? [list] : [];
  });
}
