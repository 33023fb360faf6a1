import type { CompiledOperation } from './compile/compile-operation.js';
import { isIncluded } from './compile/condition.js';
import { fieldsOf, type PlanField, type PlanPosition } from './compile/plan-tree.js';
import { CostError } from './cost-error.js';

/**
 * The error for the first field that is included and breaks `requireOneSlicingArgument`; undefined: only fields do that
 * are left out by their conditions.
 * @param violated the slots of sizes that break it with these variables
 */
export function findSlicingViolation(
  { root }: CompiledOperation,
  values: readonly unknown[],
  violated: ReadonlySet<number>,
): CostError | undefined {
  const seen = new Set<PlanPosition>();
  const path: string[] = [];

  function search(position: PlanPosition): CostError | undefined {
    if (seen.has(position)) return undefined;
    seen.add(position);
    for (const group of position.groups) {
      for (const field of fieldsOf(group)) {
        if (!isIncluded(field.condition, values)) continue;
        path.push(field.responseName);
        const found = breaks(field) ? refuse(field) : field.child && search(field.child);
        if (found) return found;
        path.pop();
      }
    }
    return undefined;
  }

  function breaks({ violatesSlicing, given }: PlanField): boolean {
    return violatesSlicing || (typeof given !== 'number' && violated.has(given.index));
  }

  function refuse({ model, node }: PlanField): CostError {
    const names = model.slicing.map((path) => [path.argument.name, ...path.below].join('.'));
    const number = model.refusesNone ? 'exactly' : 'at most';
    const detail = `${model.coordinate} takes ${number} one of ${names.join(', ')}`;
    return new CostError('COST_SLICING_ARGUMENT', detail, { nodes: node && [node], path: [...path] });
  }

  return root && search(root);
}
