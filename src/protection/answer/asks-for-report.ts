import type { Tier } from '../../model/rule.js';
import type { Subject } from '../../model/subject.js';

/**
 * Returns whether the answer includes the full cost report: the caller asks for it and is allowed
 * to see it. A header cannot override a tier whose `answer` is `NONE`.
 * @param wanted value of the header `GraphQL-Cost`
 */
export function asksForReport(
  wanted: string | undefined,
  { tier, subject, mayReportCost }: { tier: Tier; subject: Subject; mayReportCost(subject: Subject): boolean },
): boolean {
  return (wanted === 'report' || wanted === 'validate') && tier.answer !== 'NONE' && mayReportCost(subject);
}
