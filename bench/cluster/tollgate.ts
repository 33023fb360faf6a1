import { createLimiter } from '../../src/limiter/create-limiter.js';
import type { LimiterOptions } from '../../src/limiter/limiter-options.js';
import type { Precision } from '../../src/model/limit-parameters.js';
import type { Conditions, Runner, Variant } from '../frame/bench.js';
import { measureOnCluster } from './measure-on-cluster.js';
import { LIMITS } from './workload.js';

/** Uses the default deadline. Decisions that fall back to the local share are counted. */
export const tollgate: Variant = (conditions) => measure(conditions, 'EXACT');

/**
 * Uses the same limits with leases of a tenth of a second. Each of the 1,000 users is charged too
 * seldom for a lease.
 */
export const tollgateLeased: Variant = (conditions) => measure(conditions, 'LEASED');

/**
 * Uses leases of a second, and a threshold low enough that one turn of the benchmark reaches it.
 */
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
        // If it had a tenant, the subject would get the hash slot of its tenant. Only the six
        // limits include a TENANT limit.
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
