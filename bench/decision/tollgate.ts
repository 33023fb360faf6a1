import type { LimitCharge } from '../../src/limiter/charge/create-limit-compiler.js';
import { createLimiter } from '../../src/limiter/create-limiter.js';
import type { CalendarParameters } from '../../src/model/limit-parameters.js';
import type { Conditions, Runner, Variant } from '../frame/bench.js';
import { type Decide, measureDecisions } from './measure-decisions.js';
import { SIX_LIMITS, withCalendar } from './six-limits.js';

export const tollgate = charging(SIX_LIMITS);

/** Returns the variant with a calendar window instead of the sliding counter of the tenant's hour. */
export function tollgateWithCalendar(calendar: CalendarParameters): Variant {
  return charging(withCalendar(calendar));
}

function charging(limits: readonly LimitCharge[]): Variant {
  return (conditions) => measure(conditions, [...limits]);
}

async function measure(conditions: Conditions, limits: LimitCharge[]): Promise<Runner> {
  const limiter = createLimiter({ redis: conditions.redisUrl, deadlineMs: 1000 });
  const decide: Decide = async (subject) => {
    const decision = await limiter.charge({ subject, limits });
    if (!decision.admitted || decision.degraded || decision.limits.length !== limits.length) {
      throw new Error(`Tollgate did not charge all six limits in Redis: ${JSON.stringify(decision)}`);
    }
  };
  return measureDecisions(conditions, decide, () => limiter.close());
}
