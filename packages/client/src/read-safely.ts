import type { BudgetReport, GraphqlAnswer, HttpAnswer, ReadBudget } from './budget-report.js';
import { kindOf } from './check-options.js';
import { recordOf } from './read-tollgate.js';

/**
 * Calls `read`, and checks that it returned a report. Errors of `read` are not caught, because the
 * application must notice the mistake.
 * @throws TypeError if `read` returned no report
 */
export function readSafely(read: ReadBudget, answer: GraphqlAnswer | undefined, http?: HttpAnswer): BudgetReport {
  const report: unknown = read(answer, http);
  if (recordOf(report)) return report as BudgetReport;
  throw new TypeError(`read: expected a budget report such as {}, got ${kindOf(report)}`);
}
