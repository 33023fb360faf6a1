import type { LimitCharge } from '../../src/limiter/charge/create-limit-compiler.js';
import type { CalendarParameters } from '../../src/model/limit-parameters.js';
import { BUCKET, COST, WINDOWS } from './workload.js';

const SCOPES = { user: 'USER', tenant: 'TENANT', ip: 'IP' } as const;

/** The workload's bucket and windows as limits of Tollgate, the bucket first. */
export const SIX_LIMITS = [
  { id: 'bucket', scope: 'USER', algorithm: 'TOKEN_BUCKET', ...BUCKET, cost: COST },
  ...WINDOWS.map(
    ({ of, amount, windowMs }, index): LimitCharge => ({
      id: `window-${index}`,
      scope: SCOPES[of],
      algorithm: 'SLIDING_WINDOW_COUNTER',
      amount,
      windowMs,
      cost: 1,
    }),
  ),
] as const satisfies readonly LimitCharge[];

/** Returns the same limits with a calendar window instead of the tenant's hour. */
export function withCalendar(calendar: CalendarParameters): LimitCharge[] {
  return SIX_LIMITS.map((limit): LimitCharge => {
    if (limit.id !== 'window-2') return limit;
    const { id, scope, cost } = limit;
    return { id, scope, algorithm: 'CALENDAR_WINDOW', amount: 1_000_000_000, ...calendar, cost };
  });
}
