import type { PlanField, PlanGroup, PlanPosition } from '../compile/compiled-operation.js';
import { OPEN } from './create-group-picker.js';
import {
  countWeight,
  createCountsFactory,
  type FieldCounts,
  type GroupCounts,
  type ObjectCounts,
  resetCounts,
} from './object-counts.js';

/** Objects whose group is unknown, by the field that returned them. They are not counted. */
export type OpenItems = ReadonlyMap<FieldCounts, readonly object[]>;

/** Counter for the responses of one operation. It counts one response at a time. */
export interface ResponseCounter {
  /**
   * Counts the content of a response, in one pass and without a copy. Every price is computed from
   * these counts, so one pass is enough for any number of prices. The size of the counts depends on
   * the number of selected fields that the response reaches, not on the size of the response. The
   * counts are valid until the next call.
   */
  count(data: unknown): ObjectCounts;
  /**
   * Returns the objects of the last response whose group is unknown. Returns undefined if there are
   * none.
   */
  open(): OpenItems | undefined;
  /**
   * Returns whether the counter can count responses to requests with other variables, and is small
   * enough to keep.
   */
  isReusable(): boolean;
}

/**
 * Maximum number of fields of a counter that is kept. A larger counter would use too much memory.
 */
const MAX_KEPT_FIELDS = 1000;

interface ResponseCounterOptions {
  readonly root: PlanPosition;
  /** Variables of the operation, for evaluating `@skip` and `@include`. */
  readonly values: readonly unknown[];
  /**
   * Whether any `@skip` or `@include` of the operation depends on a variable. This includes
   * positions that no response has reached yet.
   */
  readonly hasConditions: boolean;
  /** Whether a scalar or enum field can have a cost under any tariff of the profile. */
  readonly isCounted: (field: PlanField) => boolean;
  /** Whether a requested measure counts different fields on different types of a group. */
  readonly isDivided: (group: PlanGroup) => boolean;
}

export function createResponseCounter({ root, hasConditions, ...options }: ResponseCounterOptions): ResponseCounter {
  const { objectsAt, groupAt, groupOfType, size } = createCountsFactory(options);
  let open: Map<FieldCounts, object[]> | undefined;

  /** Counts an object. Returns false, and counts nothing, if its group is unknown. */
  function countObject(counts: ObjectCounts, object: object): boolean {
    const index = counts.groups.length === 1 ? 0 : counts.pick(object);
    if (index === OPEN) return false;
    const whole = groupAt(counts, index);
    if (whole === undefined) return true;
    const group = whole.byType === undefined ? whole : groupOfType(counts, whole, object);
    group.objects++;
    if (group.byWeight !== undefined) countWeight(group, group.byWeight, object);
    const { fields } = group;
    for (let i = 0; i < fields.length; i++) {
      const field = fields[i]!;
      const { responseName } = field;
      if (field.isOnPrototype && !Object.hasOwn(object, responseName)) continue;
      const value = (object as Record<string, unknown>)[responseName];
      if (value !== undefined) countValue(field, value);
    }
    return true;
  }

  function countValue(counts: FieldCounts, value: unknown): void {
    counts.calls++;
    if (value === null) return;
    counts.answers++;
    const { listDepth } = counts.field.model;
    if (listDepth === 0 || !Array.isArray(value)) {
      counts.outerItems++;
      countItem(counts, value);
      return;
    }
    const uniform = counts.objects && uniformGroup(counts.objects);
    if (uniform && listDepth === 1) {
      let came = 0;
      for (let i = 0; i < value.length; i++) if (typeof value[i] === 'object' && value[i] !== null) came++;
      uniform.objects += came;
      counts.items += came;
      counts.outerItems += came;
      return;
    }
    for (let i = 0; i < value.length; i++) {
      const item: unknown = value[i];
      if (item === null || item === undefined) continue;
      counts.outerItems++;
      if (listDepth > 1 && Array.isArray(item)) countList(counts, item, listDepth - 1);
      else countItem(counts, item);
    }
  }

  function countList(counts: FieldCounts, list: readonly unknown[], depth: number): void {
    for (let i = 0; i < list.length; i++) {
      const item = list[i];
      if (item === null || item === undefined) continue;
      if (depth > 1 && Array.isArray(item)) countList(counts, item, depth - 1);
      else countItem(counts, item);
    }
  }

  function countItem(counts: FieldCounts, item: unknown): void {
    if (counts.objects === undefined || typeof item !== 'object' || item === null) {
      counts.items++;
    } else if (countObject(counts.objects, item)) {
      counts.items++;
    } else {
      open ??= new Map();
      const others = open.get(counts);
      if (others) others.push(item);
      else open.set(counts, [item]);
    }
  }

  /**
   * Returns the group of a position if its objects only need to be counted. This applies to a
   * position with one group, whose types all have the same weight and whose fields need no look-up.
   * Returns undefined otherwise.
   */
  function uniformGroup(counts: ObjectCounts): GroupCounts | undefined {
    if (counts.groups.length !== 1) return undefined;
    const group = groupAt(counts, 0);
    const isUniform = group?.fields.length === 0 && group.byWeight === undefined && group.byType === undefined;
    return isUniform ? group : undefined;
  }

  const counts = objectsAt(root);
  return {
    count(data) {
      resetCounts(counts);
      open = undefined;
      if (typeof data === 'object' && data !== null) countObject(counts, data);
      return counts;
    },
    open: () => open,
    isReusable: () => !hasConditions && size() <= MAX_KEPT_FIELDS,
  };
}
