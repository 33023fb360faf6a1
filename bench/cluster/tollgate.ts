import { createLimiter } from '../../src/limiter/create-limiter.js';
import type { Variant } from '../frame/bench.js';
import { measureOnCluster } from './measure-on-cluster.js';
import { LIMITS } from './workload.js';

/** With the default deadline: what falls to a local share is counted. */
export const tollgate: Variant = async (conditions) => {
  const limiter = createLimiter({ redis: conditions.redisUrl });
  await limiter.opened;
  return measureOnCluster(
    conditions,
    (name) => async (subject) => {
      // By tenant a subject would have the slot of its tenant; the six limits are of one.
      const { user, ip, tenant } = subject;
      const asked = name === 'six limits' ? { user, ip, tenant } : { user, ip };
      const decision = await limiter.charge({ subject: asked, limits: [...LIMITS[name]] });
      if (!decision.admitted) throw new Error(`Tollgate did not admit: ${JSON.stringify(decision)}`);
      return decision.degraded;
    },
    () => limiter.close(),
  );
};
