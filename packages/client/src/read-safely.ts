import type { BudgetReport, GraphqlAnswer, HttpAnswer, ReadBudget } from './budget-report.js';
import { kindOf } from './check-options.js';

/**
 * Calls `read`, and checks that it returned a report.
 * @throws TypeError if it returned no report, and every error of `read`, because the application
 * must notice the mistake
 */
export function readSafely(read: ReadBudget, answer: GraphqlAnswer | undefined, http?: HttpAnswer): BudgetReport {
  const report: unknown = read(answer, http);
  if (typeof report === 'object' && report !== null) return report as BudgetReport;
  throw new TypeError(`read: expected a budget report such as {}, got ${kindOf(report)}`);
}
