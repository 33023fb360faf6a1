import type { CompiledOperation } from '../compile/compile-operation.js';
import { fieldsOf, type PlanField, type PlanGroup, type PlanPosition, typesOf } from '../compile/plan-tree.js';
import type { Tariff } from '../profile.js';
import type { TypeModel } from '../schema/schema-model.js';
import { createLowering, fieldValue, itemsOf } from './compile-formula.js';
import {
  addTo,
  conditionValue,
  createDraft,
  createTotal,
  finishProgram,
  maximum,
  multiply,
  type Program,
  sum,
  totalValue,
  type Value,
} from './cost-program.js';

/** What a limit on some fields counts: before it is rounded. */
export interface Measured {
  readonly cost: number;
  readonly calls: number;
}

/** A limit on some fields, as a plan knows it. */
export interface MeasureFormula {
  readonly matcher: FieldMatcher;
  /** Its results are the cost and the calls. */
  readonly program: Program;
}

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

/** The formula of a measure; its results are the cost and the calls. */
export function compileMeasure(
  { root }: CompiledOperation,
  tariffs: readonly Tariff[],
  matcher: FieldMatcher,
): Program {
  const draft = createDraft();
  if (root === undefined) return finishProgram(draft, [0, 0]);
  const lowerings = tariffs.map((tariff) => createLowering(draft, tariff));

  const costs = new Map<PlanPosition, Value>();
  const calls = new Map<PlanPosition, Value>();

  /** The outermost matching fields below an object, with all that is below them. */
  function costOf(field: PlanField, isMatch: boolean): Value {
    if (isMatch) return lowerings.map((context) => fieldValue(context, field)).reduce(sum);
    return conditional(field, below(field, costs, costOf));
  }

  function callsOf(field: PlanField, isMatch: boolean): Value {
    return conditional(field, sum(isMatch ? 1 : 0, below(field, calls, callsOf)));
  }

  function below(field: PlanField, known: Map<PlanPosition, Value>, of: typeof costOf): Value {
    return field.child === undefined ? 0 : itemsOf(draft, field, mostExpensive(field.child, known, of));
  }

  function mostExpensive(position: PlanPosition, known: Map<PlanPosition, Value>, of: typeof costOf): Value {
    const earlier = known.get(position);
    if (earlier !== undefined) return earlier;
    const candidates = position.groups.flatMap((group) =>
      matcher.matching(group).map((matching) => total(group, matching, of)),
    );
    const value = candidates.length === 0 ? 0 : maximum(draft, candidates);
    known.set(position, value);
    return value;
  }

  function total(group: PlanGroup, matching: ReadonlySet<PlanField>, of: typeof costOf): Value {
    const sums = createTotal();
    for (const field of fieldsOf(group)) {
      const isMatch = matching.has(field);
      // Most fields are neither, and there is a formula for each field that is limited.
      if (isMatch || field.child !== undefined) addTo(sums, of(field, isMatch));
    }
    return totalValue(sums);
  }

  function conditional(field: PlanField, value: Value): Value {
    return value === 0 ? 0 : multiply(draft, conditionValue(draft, field.condition), value);
  }

  return finishProgram(draft, [mostExpensive(root, costs, costOf), mostExpensive(root, calls, callsOf)]);
}
