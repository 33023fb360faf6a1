import { CostError } from '../values/cost-error.js';

/** Number of steps of one compilation, and the maximum. */
export interface Budget {
  steps: number;
  /** Number of steps above which the compilation stops with `BUDGET_SPENT`. */
  readonly maxSteps: number;
}

/**
 * Error thrown when the budget is spent. All compilations share one instance. A new error each time
 * would capture a stack trace each time, which a client could abuse to use processor time.
 */
export const BUDGET_SPENT = new Error('The step budget of this compilation is spent.');

/** Counts steps of work. @throws BUDGET_SPENT */
export function spend(budget: Budget, steps: number): void {
  budget.steps += steps;
  if (budget.steps > budget.maxSteps) throw BUDGET_SPENT;
}

export function tooManySteps(maxSteps: number): CostError {
  const detail = `pricing it takes more than ${maxSteps} steps; select fewer fields or spread fewer fragments`;
  return new CostError('OPERATION_TOO_COMPLEX', detail);
}

/**
 * Maximum nesting of selections. Deeper operations are rejected, because each level uses stack
 * space. Legitimate operations are not nested that deeply.
 */
export const MAX_DEPTH = 400;

export function tooDeep(): CostError {
  return new CostError('OPERATION_TOO_COMPLEX', `selections are nested more than ${MAX_DEPTH} levels deep`);
}
