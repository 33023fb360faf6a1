import {
  fieldsOf,
  type PlanField,
  type PlanGroup,
  type PlanPosition,
  responseNamesOf,
  typesOf,
} from '../compile/compiled-operation.js';
import { isIncluded } from '../compile/condition.js';
import type { TypeModel } from '../schema/schema-model.js';
import { createGroupPicker, type GroupPicker } from './create-group-picker.js';
import { runtimeTypeOf } from './typed-execution.js';

/** Counts of one field on one path of a response. */
export interface FieldCounts {
  readonly field: PlanField;
  readonly responseName: string;
  /**
   * Whether `Object.prototype` has a property of this name, such as `constructor`. A look-up must
   * then check that the property belongs to the object itself.
   */
  readonly isOnPrototype: boolean;
  calls: number;
  /** Number of calls that returned a value other than null. */
  answers: number;
  /** Number of values other than null, across all levels of lists. */
  items: number;
  /** Number of values other than null at the outermost level of lists. */
  outerItems: number;
  /** Counts below the field; undefined for scalars and enums. */
  readonly objects: ObjectCounts | undefined;
}

/**
 * Order in which the fields of an operation are walked, and the sum to which each field is added.
 * Only the counts of the root have a layout.
 */
export interface FieldLayout {
  /** Field at each step of the walk. Several of them may have the same coordinate. */
  readonly fields: readonly PlanField[];
  /** Index of the sum of each of `fields`. */
  readonly slots: readonly number[];
  /** Coordinate of each sum. */
  readonly coordinates: readonly string[];
}

/** Counts of the objects at one position of the cost plan, on one path of a response. */
export interface ObjectCounts {
  /** Layout created by the last walk. It becomes invalid when a group is added. */
  layout: FieldLayout | undefined;
  readonly position: PlanPosition;
  /**
   * Counts of the groups of the position, at the same indices. The counts of single types follow.
   */
  readonly groups: (GroupCounts | undefined)[];
  readonly pick: GroupPicker;
}

type WeightCounts = Map<number | undefined, number>;

/** Counts of the objects of one group at a position, or of one type of the group. */
export interface GroupCounts {
  readonly group: PlanGroup;
  /**
   * Type of all objects counted here. Undefined for the counts of a group, which include all
   * objects of the group that `byType` does not count.
   */
  readonly type: TypeModel | undefined;
  /** Counts by type name, for a group on whose types a measure counts different fields. */
  readonly byType: Map<string, GroupCounts> | undefined;
  objects: number;
  /**
   * Number of objects of known type, by the weight of the type. Undefined if all types of the group
   * have the same weight.
   */
  readonly byWeight: WeightCounts | undefined;
  /**
   * Response name of `__typename` in the group. If undefined, the type of an object is known only
   * if it was noted during execution.
   */
  readonly typenameKey: string | undefined;
  /** Fields that have to be looked up in each object. */
  readonly fields: readonly FieldCounts[];
  /**
   * Other included fields, once for each response name. They cost nothing and every object has
   * them, so they are not looked up.
   */
  readonly others: readonly PlanField[];
}

interface CountsOptions {
  /** Variables of the operation, for evaluating `@skip` and `@include`. */
  readonly values: readonly unknown[];
  /** Whether a scalar or enum field can have a cost under any tariff of the profile. */
  readonly isCounted: (field: PlanField) => boolean;
  /** Whether a requested measure counts different fields on different types of a group. */
  readonly isDivided: (group: PlanGroup) => boolean;
}

interface CountsFactory {
  objectsAt(position: PlanPosition): ObjectCounts;
  /**
   * Returns the counts of a group at a position; undefined if the position has no group with this
   * index.
   */
  groupAt(counts: ObjectCounts, index: number): GroupCounts | undefined;
  /** Returns the counts of the type of an object, or those of its group if the type is unknown. */
  groupOfType(counts: ObjectCounts, whole: GroupCounts, object: object): GroupCounts;
  /** Returns the number of fields in all counts. */
  size(): number;
}

/**
 * Creates a factory for the counts of a response. The counts of a group are created when its first
 * object is counted.
 */
export function createCountsFactory({ values, isCounted, isDivided }: CountsOptions): CountsFactory {
  let size = 0;

  function objectsAt(position: PlanPosition): ObjectCounts {
    return {
      layout: undefined,
      position,
      groups: new Array(position.groups.length),
      pick: createGroupPicker(position, values),
    };
  }

  function createGroup(group: PlanGroup, type: TypeModel | undefined): GroupCounts {
    const fields: FieldCounts[] = [];
    const others: PlanField[] = [];
    for (const field of fieldsOf(group)) {
      if (!isIncluded(field.condition, values)) continue;
      const isFree = field.child === undefined && !isCounted(field);
      // Each name is counted separately, because the values under two names can differ.
      for (const responseName of responseNamesOf(field)) {
        if (isFree) {
          others.push(field);
          continue;
        }
        const isOnPrototype = responseName in Object.prototype;
        const objects = field.child && objectsAt(field.child);
        fields.push({ field, responseName, isOnPrototype, calls: 0, answers: 0, items: 0, outerItems: 0, objects });
      }
    }
    size += fields.length + others.length;
    const included = [...others, ...fields.map(({ field }) => field)];
    const typenameKey = included.find((field) => field.model.name === '__typename')?.responseName;
    const byWeight = group.types.weights.length > 1 ? new Map<number | undefined, number>() : undefined;
    const byType = type === undefined && isDivided(group) ? new Map<string, GroupCounts>() : undefined;
    return { group, type, byType, objects: 0, byWeight, typenameKey, fields, others };
  }

  function groupAt(counts: ObjectCounts, index: number): GroupCounts | undefined {
    const known = counts.groups[index];
    if (known !== undefined) return known;
    const own = counts.position.groups[index];
    if (own === undefined) return undefined;
    const group = createGroup(own, undefined);
    counts.groups[index] = group;
    return group;
  }

  function groupOfType(counts: ObjectCounts, whole: GroupCounts, object: object): GroupCounts {
    const known = countsByType(whole, object);
    if (known !== whole) return known;
    const name = typeNameOf(whole, object);
    const type = name === undefined ? undefined : typesOf(whole.group.types).find((each) => each.name === name);
    if (type === undefined) return whole;
    const own = createGroup(whole.group, type);
    whole.byType!.set(type.name, own);
    counts.groups.push(own);
    return own;
  }

  return { objectsAt, groupAt, groupOfType, size: () => size };
}

/**
 * Returns the counts that an object of a group belongs to. These are the counts of its type if they
 * exist and the type is known, or else the counts of the group.
 */
export function countsByType(counts: GroupCounts, object: object): GroupCounts {
  if (counts.byType === undefined) return counts;
  const name = typeNameOf(counts, object);
  return (name === undefined ? undefined : counts.byType.get(name)) ?? counts;
}

function typeNameOf({ typenameKey }: GroupCounts, object: object): string | undefined {
  const hasTypename = typenameKey !== undefined && Object.hasOwn(object, typenameKey);
  const name: unknown = hasTypename ? (object as Record<string, unknown>)[typenameKey] : runtimeTypeOf(object);
  return typeof name === 'string' ? name : undefined;
}

/** Adds an object to the counts by weight, if its type is known. */
export function countWeight(counts: GroupCounts, byWeight: WeightCounts, object: object): void {
  const name = typeNameOf(counts, object);
  const type = name === undefined ? undefined : counts.group.types.base.types.find((each) => each.name === name);
  if (type) byWeight.set(type.weight, (byWeight.get(type.weight) ?? 0) + 1);
}

/** Sets all counts below a position to zero. */
export function resetCounts({ groups }: ObjectCounts): void {
  for (let i = 0; i < groups.length; i++) {
    const group = groups[i];
    // A group without objects has no counts below it.
    if (group === undefined || group.objects === 0) continue;
    group.objects = 0;
    group.byWeight?.clear();
    for (let j = 0; j < group.fields.length; j++) {
      const field = group.fields[j]!;
      if (field.objects !== undefined && field.items > 0) resetCounts(field.objects);
      field.calls = 0;
      field.answers = 0;
      field.items = 0;
      field.outerItems = 0;
    }
  }
}
