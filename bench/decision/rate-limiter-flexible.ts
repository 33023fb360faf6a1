import { Redis } from 'ioredis';
import type { Variant } from '../frame/bench.js';
import { measureDecisions } from './measure-decisions.js';
import { createSixLimiters } from './six-limiters.js';
import { COST } from './workload.js';

export const rateLimiterFlexible: Variant = async (conditions) => {
  const redis = new Redis(conditions.redisUrl);
  const limiters = createSixLimiters(redis);
  return measureDecisions(
    conditions,
    async (subject) => void (await limiters.consume(subject, COST)),
    () => redis.quit(),
  );
};
