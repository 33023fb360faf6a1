import { fieldsOf, type PlanField, type PlanGroup, type PlanPosition, typesOf } from '../compile/plan-tree.js';
import type { TypeModel } from '../schema/schema-model.js';

/** Which fields of an operation count. */
export interface FieldMatcher {
  /** Those of a group, once for each set of them that some of its types have: no object has fields of two of them. */
  matching(group: PlanGroup): readonly ReadonlySet<PlanField>[];
  /** Whether any counts at a position or below it. */
  touches(position: PlanPosition): boolean;
}

export function createFieldMatcher(matches: (coordinate: string) => boolean): FieldMatcher {
  const known = new Map<PlanGroup, readonly ReadonlySet<PlanField>[]>();
  const touched = new Map<PlanPosition, boolean>();
  const ofType = new Map<TypeModel, Map<string, boolean>>();

  function isMatch(type: TypeModel, name: string): boolean {
    const names = ofType.get(type) ?? new Map<string, boolean>();
    ofType.set(type, names);
    const result = names.get(name) ?? type.field(name)?.coordinates().some(matches) ?? false;
    names.set(name, result);
    return result;
  }

  function divide(group: PlanGroup): readonly ReadonlySet<PlanField>[] {
    const fields = fieldsOf(group);
    const distinct = new Map<string, ReadonlySet<PlanField>>();
    for (const type of typesOf(group.types)) {
      const matching = fields.filter((field) => isMatch(type, field.model.name));
      const key = matching.map((field) => field.responseName).join();
      if (!distinct.has(key)) distinct.set(key, new Set(matching));
    }
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

  return { matching, touches };
}
