import type { RuleCreateInput, Weekday } from '../../generated/graphql.js';
import { fullMoment } from '../../parts/text/moments.js';
import { visibleText } from '../../parts/text/visible-text.js';
import { rulesText } from '../../text/rules-text.js';

const { times: text } = rulesText;

const DAYS = Object.keys(text.days) as Weekday[];

/** Describes when a rule applies. Undefined for a rule that always applies. */
export function timesText({
  schedule,
  activeFrom,
  activeUntil,
}: Pick<RuleCreateInput, 'schedule' | 'activeFrom' | 'activeUntil'>): string | undefined {
  const parts = [
    ...(schedule ? [hoursOf(schedule)] : []),
    ...(activeFrom ? [text.since(fullMoment(activeFrom))] : []),
    ...(activeUntil ? [text.until(fullMoment(activeUntil))] : []),
  ];
  return parts.length === 0 ? undefined : parts.join(', ');
}

function hoursOf({ timeZone, days, from, to }: NonNullable<RuleCreateInput['schedule']>): string {
  const hours = from === '00:00' && to === '24:00' ? text.allDay : `${from}–${to}`;
  return text.hours(daysText(days ?? DAYS), hours, visibleText(timeZone ?? 'UTC'));
}

/** Describes days: `Mon–Fri`, `Mon, Wed, Sat–Sun`. */
function daysText(days: readonly Weekday[]): string {
  if (days.length === 0) return text.noDay;
  if (days.length === DAYS.length) return text.everyDay;
  const runs: Weekday[][] = [];
  for (const [at, day] of DAYS.entries()) {
    if (!days.includes(day)) continue;
    if (at > 0 && days.includes(DAYS[at - 1]!)) runs.at(-1)!.push(day);
    else runs.push([day]);
  }
  return runs
    .map((run) => (run.length === 1 ? text.days[run[0]!] : `${text.days[run[0]!]}–${text.days[run.at(-1)!]}`))
    .join(', ');
}
