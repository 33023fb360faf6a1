import type { Rule } from '../../model/rule.js';
import { nextTimeOf } from './period-at.js';

/** Returns the warning about a rule that will never apply because of its times, else undefined. */
export function timeWarning(rule: Rule, nowMs: number): string | undefined {
  if (nextTimeOf(rule, nowMs) !== undefined) return undefined;
  return `rule "${rule.name}" never applies: ${reasonOf(rule, nowMs)}`;
}

function reasonOf({ schedule, activeFrom, activeUntil }: Rule, nowMs: number): string {
  if (schedule?.days?.length === 0) return 'its schedule has no days; remove days for every day';
  if (schedule !== undefined && schedule.from === schedule.to) {
    return `its schedule begins and ends at ${schedule.from}; for entire days, use from: "00:00" and to: "24:00"`;
  }
  if (activeUntil !== undefined && Date.parse(activeUntil) <= nowMs) {
    return `its activeUntil ${activeUntil} is in the past; set a later time, or retire the rule`;
  }
  if (activeFrom !== undefined && activeUntil !== undefined && activeUntil <= activeFrom) {
    return `its activeUntil ${activeUntil} is not after its activeFrom ${activeFrom}; swap them or set a later end`;
  }
  return `no hours of its schedule are before its activeUntil ${activeUntil}; change the schedule or set a later end`;
}

/** Returns whether `wide` certainly applies at all times at which `narrow` applies. */
export function coversTimes(wide: Rule, narrow: Rule): boolean {
  const timesOf = ({ schedule, activeFrom, activeUntil }: Rule) => JSON.stringify([schedule, activeFrom, activeUntil]);
  return timesOf(wide) === ANY_TIME || timesOf(wide) === timesOf(narrow);
}

const ANY_TIME = JSON.stringify([null, null, null]);
