import { createLimiter } from '../../src/limiter/create-limiter.js';
import type { LimiterOptions } from '../../src/limiter/limiter-options.js';
import type { Precision } from '../../src/model/limit-parameters.js';
import type { Conditions, Runner, Variant } from '../frame/bench.js';
import { measureOnCluster } from './measure-on-cluster.js';
import { LIMITS } from './workload.js';

/** With the default deadline: what falls to a local share is counted. */
export const tollgate: Variant = (conditions) => measure(conditions, 'EXACT');

/** The same limits leased for a tenth of a second: each of the 1,000 users is charged too seldom for it. */
export const tollgateLeased: Variant = (conditions) => measure(conditions, 'LEASED');

/** For a second, and soon enough that a turn of the bench is long enough to see it. */
export const tollgateLeasedLong: Variant = (conditions) => measure(conditions, 'LEASED', { lengthMs: 1000, after: 3 });

async function measure(
  conditions: Conditions,
  precision: Precision,
  leases: NonNullable<LimiterOptions['leases']> = {},
): Promise<Runner> {
  const limiter = createLimiter({ redis: conditions.redisUrl, leases });
  await limiter.opened;
  return measureOnCluster(
    conditions,
    (name) => {
      const limits = LIMITS[name].map((limit) => ({ ...limit, precision }));
      return async (subject) => {
        // By tenant a subject would have the slot of its tenant; the six limits are of one.
        const { user, ip, tenant } = subject;
        const asked = name === 'six limits' ? { user, ip, tenant } : { user, ip };
        const decision = await limiter.charge({ subject: asked, limits });
        if (!decision.admitted) throw new Error(`Tollgate did not admit: ${JSON.stringify(decision)}`);
        return decision.degraded;
      };
    },
    () => limiter.close(),
  );
}
