import type { BudgetReport, GraphqlAnswer, HttpAnswer, ReadBudget } from './budget-report.js';
import { kindOf } from './check-options.js';

/**
 * Calls `read`, and checks that it returned a report.
 * @throws TypeError if it returned none, and every error of `read`: the caller of the operation
 * must see it
 */
export function readSafely(read: ReadBudget, answer: GraphqlAnswer | undefined, http?: HttpAnswer): BudgetReport {
  const report: unknown = read(answer, http);
  if (typeof report === 'object' && report !== null) return report as BudgetReport;
  throw new TypeError(`read: expected a budget report such as {}, got ${kindOf(report)}`);
}
