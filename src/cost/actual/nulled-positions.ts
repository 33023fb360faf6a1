import { fieldsOf, type PlanField, responseNamesOf } from '../compile/compiled-operation.js';
import type { OpenItems } from './create-response-counter.js';
import { countsByType, type FieldCounts, type GroupCounts, type ObjectCounts } from './object-counts.js';

/** Error of a response, with the properties that pricing needs. */
export interface ResponseError {
  /**
   * Response names and list indices from the root to the failed field. Undefined if the failed
   * field is unknown.
   */
  readonly path?: readonly (string | number)[] | undefined;
  /**
   * Whether the path leads to a list that may lack items. The items that it lacks up to its estimated
   * size then count as missing.
   * @default false
   */
  readonly isOpenList?: boolean;
}

/** Values of a field that errors set to null, on one path of a response. */
export interface NulledCounts {
  /** Number of calls whose whole value is missing. */
  calls: number;
  /** Number of missing items of lists in the response, across all levels of lists. */
  items: number;
  /** Number of missing items at the outermost level of lists. */
  outerItems: number;
  /** Objects that are in the response but count as missing, because their type is unknown. */
  readonly open: readonly object[] | undefined;
}

export type NulledPositions = ReadonlyMap<FieldCounts, NulledCounts>;

/**
 * Finds the positions that errors set to null in a response. The path of an error leads to the
 * failed field. If that field is non-nullable, the null is at the nearest nullable position above
 * it. The response then lacks the results of all fields below this null, although their resolvers
 * may have run.
 * @param root counts of `data`
 * @param open objects in the response that could not be counted
 * @param sizeOf returns the estimated size of the list that one call of a field returns
 * @returns undefined if an error has no path, or if its path does not lead to a null in this
 * response
 */
export function findNulledPositions(
  root: ObjectCounts,
  data: unknown,
  errors: readonly ResponseError[],
  open: OpenItems | undefined,
  sizeOf: (field: PlanField) => number,
): NulledPositions | undefined {
  const nulled = new Map<FieldCounts, NulledCounts>();
  for (const [field, objects] of open ?? []) {
    nulled.set(field, { calls: 0, items: objects.length, outerItems: objects.length, open: objects });
  }
  const seen = new Map<object, Set<string | number>>();
  const findField = createFieldFinder();

  /** Returns whether no earlier error has led to this null. */
  function isNew(container: object, key: string | number): boolean {
    const keys = seen.get(container);
    if (keys?.has(key)) return false;
    if (keys) keys.add(key);
    else seen.set(container, new Set([key]));
    return true;
  }

  function add(field: FieldCounts, calls: number, items: number, outerItems: number): void {
    const known = nulled.get(field);
    if (known === undefined) {
      nulled.set(field, { calls, items, outerItems, open: undefined });
      return;
    }
    known.calls += calls;
    known.items += items;
    known.outerItems += outerItems;
  }

  /** Adds the items that a list lacks. @param depth number of lists around it, in the same field */
  function addRest(list: readonly unknown[], field: FieldCounts, depth: number): boolean {
    const { defaultSize, listDepth } = field.field.model;
    if (depth >= listDepth || !isNew(list, 'length')) return true;
    const missing = Math.max(0, (depth === 0 ? sizeOf(field.field) : defaultSize) - list.length);
    if (missing > 0) add(field, 0, missing * defaultSize ** (listDepth - depth - 1), depth === 0 ? missing : 0);
    return true;
  }

  /**
   * Follows a path until it reaches a null or an open list, and adds the position. Returns false if
   * the path reaches neither.
   */
  function follow({ path = [], isOpenList = false }: ResponseError): boolean {
    let objects: ObjectCounts | undefined = root;
    let field: FieldCounts | undefined;
    let depth = 0;
    let container = data;
    for (const key of path) {
      if (typeof container !== 'object' || container === null || !Object.hasOwn(container, key)) return false;
      const value: unknown = (container as Record<string | number, unknown>)[key];
      if (Array.isArray(container)) {
        depth++;
        if (field === undefined || depth > field.field.model.listDepth) return false;
      } else {
        const group: GroupCounts | undefined = objects && groupOf(objects, container);
        const found: FieldCounts | 'free' | undefined = group && findField(group, String(key));
        if (found === undefined) return false;
        // The field costs nothing and has no selections, so nothing is added.
        if (found === 'free') return value === null || (isOpenList && Array.isArray(value));
        field = found;
        depth = 0;
      }
      if (value === null) {
        if (!isNew(container, key)) return true;
        if (depth === 0) {
          add(field, 1, 0, 0);
        } else {
          const { defaultSize, listDepth } = field.field.model;
          add(field, 0, defaultSize ** (listDepth - depth), depth === 1 ? 1 : 0);
        }
        return true;
      }
      objects = field.objects;
      container = value;
    }
    return isOpenList && field !== undefined && Array.isArray(container) && addRest(container, field, depth);
  }

  for (const error of errors) if (error.path === undefined || !follow(error)) return undefined;
  return nulled;
}

function groupOf({ groups, pick, position }: ObjectCounts, object: object): GroupCounts | undefined {
  const group = groups[position.groups.length === 1 ? 0 : pick(object)];
  return group && countsByType(group, object);
}

/** Number of fields up to which a linear search is faster than a map. */
const MAX_COMPARED = 8;

/**
 * Creates a finder of fields by response name. For many fields it builds an index, because a caller
 * can make thousands of fields of one object fail.
 */
function createFieldFinder() {
  const indexes = new Map<GroupCounts, Map<string, FieldCounts>>();

  function findCounted(group: GroupCounts, name: string): FieldCounts | undefined {
    const { fields } = group;
    if (fields.length <= MAX_COMPARED) return fields.find(({ responseName }) => responseName === name);
    let index = indexes.get(group);
    if (index === undefined) {
      index = new Map(fields.map((field) => [field.responseName, field]));
      indexes.set(group, index);
    }
    return index.get(name);
  }

  const free = new Map<GroupCounts, Set<string>>();

  return (group: GroupCounts, name: string): FieldCounts | 'free' | undefined => {
    const counted = findCounted(group, name);
    if (counted) return counted;
    let names = free.get(group);
    if (names === undefined) {
      names = new Set(fieldsOf(group.group).flatMap(responseNamesOf));
      free.set(group, names);
    }
    return names.has(name) ? 'free' : undefined;
  };
}
