import { CostError } from '../values/cost-error.js';

/** Steps of the work of one compile. */
export interface Budget {
  steps: number;
  /** Past which the operation is refused. */
  readonly maxSteps: number;
}

/** Thrown where the budget is spent. One for all: who sends what takes too many steps would have a stack written for each. */
export const BUDGET_SPENT = new Error('The budget of this compile is spent.');

/** Counts steps of work. @throws BUDGET_SPENT */
export function spend(budget: Budget, steps: number): void {
  budget.steps += steps;
  if (budget.steps > budget.maxSteps) throw BUDGET_SPENT;
}

export function tooManySteps(maxSteps: number): CostError {
  const detail = `pricing it takes more than ${maxSteps} steps; select fewer fields or spread fewer fragments`;
  return new CostError('OPERATION_TOO_COMPLEX', detail);
}

/** Deeper nesting than this is refused: real operations do not have it, and each level costs stack. */
export const MAX_DEPTH = 400;

export function tooDeep(): CostError {
  return new CostError('OPERATION_TOO_COMPLEX', `selections are nested more than ${MAX_DEPTH} levels deep`);
}
