import type { Tier } from '../../model/rule.js';
import type { Subject } from '../../model/subject.js';

/**
 * Whether an answer is to say everything, because its caller asks for that and may. Whom a tier tells nothing, a header does
 * not make it tell.
 * @param wanted the header `GraphQL-Cost`
 */
export function asksForReport(
  wanted: string | undefined,
  { tier, subject, mayReportCost }: { tier: Tier; subject: Subject; mayReportCost(subject: Subject): boolean },
): boolean {
  return (wanted === 'report' || wanted === 'validate') && tier.answer !== 'NONE' && mayReportCost(subject);
}
