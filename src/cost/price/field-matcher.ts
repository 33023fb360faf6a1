import { fieldsOf, type PlanField, type PlanGroup, type PlanPosition, typesOf } from '../compile/compiled-operation.js';
import type { TypeModel } from '../schema/schema-model.js';

/** Selects the fields of an operation that count for a limit. */
export interface FieldMatcher {
  /**
   * Returns the distinct sets of matching fields that the types of a group have. Each type, and so
   * each object, has exactly one of these sets.
   */
  matching(group: PlanGroup): readonly ReadonlySet<PlanField>[];
  /** Returns the matching fields of a group on one of its types. */
  matchingOn(group: PlanGroup, type: TypeModel): ReadonlySet<PlanField>;
  /** Groups passed to `matching` whose types have different sets of matching fields. */
  readonly divided: ReadonlySet<PlanGroup>;
  /** Returns whether any field matches at a position or below it. */
  touches(position: PlanPosition): boolean;
}

export function createFieldMatcher(matches: (coordinate: string) => boolean): FieldMatcher {
  const known = new Map<PlanGroup, readonly ReadonlySet<PlanField>[]>();
  const touched = new Map<PlanPosition, boolean>();
  const divided = new Set<PlanGroup>();
  const ofType = new Map<TypeModel, Map<string, boolean>>();

  function namesOf(type: TypeModel): Map<string, boolean> {
    let names = ofType.get(type);
    if (names === undefined) {
      names = new Map();
      ofType.set(type, names);
    }
    return names;
  }

  function matchingOf(type: TypeModel, fields: readonly PlanField[]): ReadonlySet<PlanField> {
    const names = namesOf(type);
    let found: Set<PlanField> | undefined;
    for (const field of fields) {
      const { name } = field.model;
      let isMatch = names.get(name);
      if (isMatch === undefined) {
        isMatch = type.field(name)?.coordinates().some(matches) ?? false;
        names.set(name, isMatch);
      }
      if (!isMatch) continue;
      found ??= new Set();
      found.add(field);
    }
    return found ?? NONE;
  }

  function divide(group: PlanGroup): readonly ReadonlySet<PlanField>[] {
    const fields = fieldsOf(group);
    const types = typesOf(group.types);
    if (types.length === 1) {
      const found = matchingOf(types[0]!, fields);
      return found === NONE ? NO_MATCH : [found];
    }
    const distinct = new Map<string, ReadonlySet<PlanField>>();
    for (const type of types) {
      const found = matchingOf(type, fields);
      const key = found === NONE ? '' : [...found].map((field) => field.responseName).join();
      if (!distinct.has(key)) distinct.set(key, found);
    }
    if (distinct.size > 1) divided.add(group);
    return [...distinct.values()];
  }

  function matching(group: PlanGroup): readonly ReadonlySet<PlanField>[] {
    const earlier = known.get(group);
    if (earlier) return earlier;
    const divided = divide(group);
    known.set(group, divided);
    return divided;
  }

  function touches(position: PlanPosition): boolean {
    const earlier = touched.get(position);
    if (earlier !== undefined) return earlier;
    const result = position.groups.some(
      (group) =>
        matching(group).some((fields) => fields.size > 0) ||
        fieldsOf(group).some(({ child }) => child !== undefined && touches(child)),
    );
    touched.set(position, result);
    return result;
  }

  return { matching, matchingOn: (group, type) => matchingOf(type, fieldsOf(group)), divided, touches };
}

/** Result for a group without a matching field, which is true for most groups. */
const NONE: ReadonlySet<PlanField> = new Set();
const NO_MATCH = [NONE];
