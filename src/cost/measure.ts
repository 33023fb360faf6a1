import type { CompiledOperation } from './compile-operation.js';
import { createLowering, fieldValue, itemsOf, type Lowering } from './lower.js';
import { fieldsOf, type PlanField, type PlanGroup, type PlanPosition, typesOf } from './plan-tree.js';
import type { Tariff } from './profile.js';
import {
  addTo,
  createDraft,
  createTotal,
  finishProgram,
  guardValue,
  maximum,
  multiply,
  type Program,
  type ProgramDraft,
  sum,
  totalValue,
  type Value,
} from './program.js';
import type { TypeModel } from './schema-model.js';

/**
 * The fields of a group that count, once for each set of them that some of its types have: no object has fields of two
 * of them.
 */
export type FieldMatcher = (group: PlanGroup) => readonly ReadonlySet<PlanField>[];

export function createFieldMatcher(matches: (coordinate: string) => boolean): FieldMatcher {
  const known = new Map<PlanGroup, readonly ReadonlySet<PlanField>[]>();
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

  return (group) => {
    const earlier = known.get(group);
    if (earlier) return earlier;
    const divided = divide(group);
    known.set(group, divided);
    return divided;
  };
}

interface Pair {
  readonly cost: Value;
  readonly calls: Value;
}

const NOTHING: Pair = { cost: 0, calls: 0 };

/** The formula of a measure; its results are the cost and the calls. */
export function compileMeasure(
  { root }: CompiledOperation,
  tariffs: readonly Tariff[],
  matcher: FieldMatcher,
): Program {
  const draft = createDraft();
  if (root === undefined) return finishProgram(draft, [0, 0]);
  const lowerings = tariffs.map((tariff) => createLowering(draft, tariff));
  const { cost, calls } = measurePosition(draft, lowerings, matcher, new Map(), root);
  return finishProgram(draft, [cost, calls]);
}

function measurePosition(
  draft: ProgramDraft,
  lowerings: readonly Lowering[],
  matcher: FieldMatcher,
  known: Map<PlanPosition, Pair>,
  position: PlanPosition,
): Pair {
  const earlier = known.get(position);
  if (earlier) return earlier;
  const costs: Value[] = [];
  const calls: Value[] = [];
  for (const group of position.groups) {
    for (const matching of matcher(group)) {
      const pair = measureGroup(group, matching);
      costs.push(pair.cost);
      calls.push(pair.calls);
    }
  }
  const result = costs.length === 0 ? NOTHING : { cost: maximum(draft, costs), calls: maximum(draft, calls) };
  known.set(position, result);
  return result;

  function measureGroup(group: PlanGroup, matching: ReadonlySet<PlanField>): Pair {
    const cost = createTotal();
    const calls = createTotal();
    for (const field of fieldsOf(group)) {
      const below = field.child ? measureBelow(field, field.child) : NOTHING;
      if (matching.has(field)) {
        for (const lowering of lowerings) addTo(cost, fieldValue(lowering, field));
        addTo(calls, guarded(field, sum(1, below.calls)));
      } else {
        addTo(cost, guarded(field, below.cost));
        addTo(calls, guarded(field, below.calls));
      }
    }
    return { cost: totalValue(cost), calls: totalValue(calls) };
  }

  function measureBelow(field: PlanField, child: PlanPosition): Pair {
    const item = measurePosition(draft, lowerings, matcher, known, child);
    return { cost: itemsOf(draft, field, item.cost), calls: itemsOf(draft, field, item.calls) };
  }

  function guarded(field: PlanField, value: Value): Value {
    return value === 0 ? 0 : multiply(draft, guardValue(draft, field.guard), value);
  }
}
