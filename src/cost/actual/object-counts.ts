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

/** How often a field came, on one path of a response. */
export interface FieldCounts {
  readonly field: PlanField;
  readonly responseName: string;
  /** Whether a plain look-up would find something on every object, such as `constructor`. */
  readonly isOnPrototype: boolean;
  calls: number;
  /** Calls that gave something other than null. */
  answers: number;
  /** Values other than null, all levels of lists multiplied. */
  items: number;
  /** The same, counting the outermost level of lists only. */
  outerItems: number;
  /** What came below it; undefined for scalars and enums. */
  readonly objects: ObjectCounts | undefined;
}

/** In which order the fields of an operation are walked, and where each adds to; only the root's counts have one. */
export interface FieldLayout {
  /** Of each field of the walk: the same coordinate may be selected at several places. */
  readonly fields: readonly PlanField[];
  readonly slots: readonly number[];
  readonly coordinates: readonly string[];
}

/** The objects that came at one position of one path. */
export interface ObjectCounts {
  /** As the last walk has found it; groups that come later change it. */
  layout: FieldLayout | undefined;
  readonly position: PlanPosition;
  /** By group of the position; then those of single types. */
  readonly groups: (GroupCounts | undefined)[];
  readonly pick: GroupPicker;
}

type WeightCounts = Map<number | undefined, number>;

export interface GroupCounts {
  readonly group: PlanGroup;
  /** The type of all objects counted here; undefined: any of the group that are not counted by type. */
  readonly type: TypeModel | undefined;
  /** Of a group that a measure divides: the counts of each type, by its name. */
  readonly byType: Map<string, GroupCounts> | undefined;
  objects: number;
  /** Of a group whose types differ in weight: how many objects of each weight, of those whose type is known. */
  readonly byWeight: WeightCounts | undefined;
  /** What tells it, besides what was noted when the operation ran. */
  readonly typenameKey: string | undefined;
  /** Of the fields that have to be looked at one by one. */
  readonly fields: readonly FieldCounts[];
  /** The other fields that are included, once for each name: they cost nothing, and come with each object. */
  readonly others: readonly PlanField[];
}

interface CountsOptions {
  /** The operation's variables, for what `@skip` and `@include` leave out. */
  readonly values: readonly unknown[];
  /** Whether a scalar or enum field can cost anything, by any of the prices to be asked for. */
  readonly isCounted: (field: PlanField) => boolean;
  /** Whether a measure counts other fields on some types of a group than on others. */
  readonly isDivided: (group: PlanGroup) => boolean;
}

interface CountsFactory {
  objectsAt(position: PlanPosition): ObjectCounts;
  /** Returns the counts of a group at a position; undefined: the position has no group of this number. */
  groupAt(counts: ObjectCounts, index: number): GroupCounts | undefined;
  /** Returns the counts of the type of an object; those of its group, where the type is not known. */
  groupOfType(counts: ObjectCounts, whole: GroupCounts, object: object): GroupCounts;
  /** How many fields all counts have together. */
  size(): number;
}

/** Creates the counts of a response where objects come. */
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
      // Each name by itself: what comes under two of them need not be alike.
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

/** Returns the counts that an object of a group belongs to: those of its type, where they are apart and it is known. */
export function countsByType(counts: GroupCounts, object: object): GroupCounts {
  if (counts.byType === undefined) return counts;
  const name = typeNameOf(counts, object);
  return (name === undefined ? undefined : counts.byType.get(name)) ?? counts;
}

function typeNameOf({ typenameKey }: GroupCounts, object: object): string | undefined {
  const isSaid = typenameKey !== undefined && Object.hasOwn(object, typenameKey);
  const name: unknown = isSaid ? (object as Record<string, unknown>)[typenameKey] : runtimeTypeOf(object);
  return typeof name === 'string' ? name : undefined;
}

/** Counts the weight of an object of a group whose types differ in weight. */
export function countWeight(counts: GroupCounts, byWeight: WeightCounts, object: object): void {
  const name = typeNameOf(counts, object);
  const type = name === undefined ? undefined : counts.group.types.base.types.find((each) => each.name === name);
  if (type) byWeight.set(type.weight, (byWeight.get(type.weight) ?? 0) + 1);
}

/** Sets all counts below a position to zero. */
export function resetCounts({ groups }: ObjectCounts): void {
  for (let i = 0; i < groups.length; i++) {
    const group = groups[i];
    // Nothing is below where no object came.
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
