import { show } from '../../model/describe-problems.js';
import { WEEKDAYS } from '../../model/rule.js';
import { isTimeZone } from '../../options/is-time-zone.js';
import { didYouMean } from '../../options/nearest-name.js';
import { TIME_OF_DAY } from '../../options/time-of-day.js';
import { timeZones } from '../../options/time-zones.js';
import { instant, listOf, membersOf, oneOf, satisfying, text } from './validators.js';

const timeZone = text(1, 64).refine(isTimeZone, {
  error: ({ input }) =>
    `expected an IANA time zone, such as Europe/Berlin, got ${show(input)}${didYouMean(String(input), timeZones())}`,
});

/** Input form of the members of a rule that define when it applies. */
export const ruleTimesInput = {
  schedule: membersOf({
    timeZone: timeZone.default('UTC'),
    days: listOf(oneOf(WEEKDAYS), WEEKDAYS.length).optional(),
    from: satisfying((time) => TIME_OF_DAY.test(time), 'a local time as HH:MM, such as 08:00').default('00:00'),
    to: satisfying(
      (time) => TIME_OF_DAY.test(time) || time === '24:00',
      'a local time as HH:MM up to 24:00, such as 18:00',
    ).default('24:00'),
  }).optional(),
  activeFrom: instant().optional(),
  activeUntil: instant().optional(),
};
