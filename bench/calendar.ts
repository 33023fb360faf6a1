import { METRICS } from './decision/measure-decisions.js';
import { tollgate, tollgateWithCalendar } from './decision/tollgate.js';
import type { Bench } from './frame/bench.js';

export const bench: Bench = {
  title:
    'one decision on six limits (a token bucket, five sliding counters) in three partitions, 1,000 users, with and ' +
    'without a calendar window instead of one of the counters',
  metrics: METRICS,
  variants: {
    'six limits': tollgate,
    'a calendar month': tollgateWithCalendar({ every: 'MONTH', timeZone: 'Europe/Berlin' }),
    'a calendar month, with carry-over': tollgateWithCalendar({
      every: 'MONTH',
      timeZone: 'Europe/Berlin',
      carryOver: { percent: 50, max: 1_000_000 },
    }),
  },
  baselines: ['six limits'],
  redis: true,
};
