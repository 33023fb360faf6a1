import type { Tier } from '../../model/rule.js';
import type { Subject } from '../../model/subject.js';

/**
 * Returns whether the response includes the full cost report. The caller must request the report
 * with the header `GraphQL-Cost`, and be allowed to see it. If the `answer` of the tier is `NONE`,
 * the header has no effect.
 * @param wanted value of the header
 */
export function asksForReport(
  wanted: string | undefined,
  { tier, subject, mayReportCost }: { tier: Tier; subject: Subject; mayReportCost(subject: Subject): boolean },
): boolean {
  return (wanted === 'report' || wanted === 'validate') && tier.answer !== 'NONE' && mayReportCost(subject);
}
