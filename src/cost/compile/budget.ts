import { CostError } from '../cost-error.js';

/** Steps of the work of one compile. */
export interface Budget {
  steps: number;
  /** Past which the operation is refused. */
  readonly maxSteps: number;
}

export class BudgetSpentError extends CostError {}

/** Counts steps of work. @throws CostError OPERATION_TOO_COMPLEX when the budget is spent */
export function spend(budget: Budget, steps: number): void {
  budget.steps += steps;
  if (budget.steps <= budget.maxSteps) return;
  const detail = `pricing it takes more than ${budget.maxSteps} steps; select fewer fields or spread fewer fragments`;
  throw new BudgetSpentError('OPERATION_TOO_COMPLEX', detail);
}

/** Deeper nesting than this is refused: real operations do not have it, and each level costs stack. */
export const MAX_DEPTH = 400;

export function tooDeep(): CostError {
  return new CostError('OPERATION_TOO_COMPLEX', `selections are nested more than ${MAX_DEPTH} levels deep`);
}
