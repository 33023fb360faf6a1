import { isIncluded } from '../compile/condition.js';
import { fieldsOf, type PlanField, type PlanGroup, type PlanPosition } from '../compile/plan-tree.js';
import type { Tariff } from '../profile.js';
import type { FieldMatcher, Measured } from './compile-measure.js';
import { BOUND, type ProgramInput } from './cost-program.js';
import { sizeOf } from './field-amounts.js';
import { createMostExpensive } from './most-expensive.js';

/**
 * What an object at a position counts at most for a limit on some fields, worked out part by part; the formula of the
 * whole says the same.
 */
export function createMostExpensiveMeasure(
  tariffs: readonly Tariff[],
  matcher: FieldMatcher,
  input: ProgramInput,
): (position: PlanPosition) => Measured {
  const mostExpensive = createMostExpensive(tariffs, input);
  const known = new Map<PlanPosition, Measured>();

  function objectAt(position: PlanPosition): Measured {
    const earlier = known.get(position);
    if (earlier) return earlier;
    let cost = 0;
    let calls = 0;
    if (matcher.touches(position)) {
      for (const group of position.groups) {
        for (const matching of matcher.matching(group)) {
          const all = total(group, matching);
          cost = Math.max(cost, all.cost);
          calls = Math.max(calls, all.calls);
        }
      }
    }
    const most = { cost, calls };
    known.set(position, most);
    return most;
  }

  function total(group: PlanGroup, matching: ReadonlySet<PlanField>): Measured {
    let cost = 0;
    let calls = 0;
    for (const field of fieldsOf(group)) {
      if (!isIncluded(field.condition, input.variables.values)) continue;
      const isMatch = matching.has(field);
      const below = field.child && objectAt(field.child);
      const items = below && sizeOf(field, input) * field.model.innerListSize;
      cost = Math.min(BOUND, cost + (isMatch ? mostExpensive.field(field) : below ? items! * below.cost : 0));
      calls = Math.min(BOUND, calls + (isMatch ? 1 : 0) + (below ? items! * below.calls : 0));
    }
    return { cost, calls };
  }

  return objectAt;
}
