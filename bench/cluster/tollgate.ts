import { createLimiter } from '../../src/limiter/create-limiter.js';
import type { LimiterOptions } from '../../src/limiter/limiter-options.js';
import type { Precision } from '../../src/model/limit-parameters.js';
import type { Conditions, Runner, Variant } from '../frame/bench.js';
import { measureOnCluster } from './measure-on-cluster.js';
import { LIMITS } from './workload.js';

/**
 * Measures exact limits with the default deadline. Decisions that are made without Redis, after the
 * deadline, are counted as degraded.
 */
export const tollgate: Variant = (conditions) => measure(conditions, 'EXACT');

/**
 * Measures the same limits with leases of a tenth of a second. Each of the 1,000 users is charged
 * too rarely to receive a lease.
 */
export const tollgateLeased: Variant = (conditions) => measure(conditions, 'LEASED');

/**
 * Measures leases of a second. A user gets a lease after three charges, which each user reaches in
 * one turn of the benchmark.
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
        // A subject with a tenant uses the hash slot of the tenant. The tenant is needed only for
        // the six limits, which include a TENANT limit.
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
