import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import type { Variant } from '../frame/bench.js';
import { type Calls, timeCalls } from './time-calls.js';

/**
 * Points of a user, which are enough for all calls. A denial would reject the promise, which takes
 * a different amount of work.
 */
const POINTS = 1e9;

export const consumeSideBySide: Variant = (conditions) => {
  const create = (keyPrefix: string) => new RateLimiterMemory({ keyPrefix, points: POINTS, duration: 60 });
  const one = create('one');
  const six = ['a', 'b', 'c', 'd', 'e', 'f'].map(create);
  const scenarios: Record<string, Calls<RateLimiterRes | RateLimiterRes[]>> = {
    'one limit': { decide: (user, cost) => one.consume(user, cost), check() {} },
    'six limits': {
      decide: (user, cost) => Promise.all(six.map((limiter, index) => limiter.consume(user, index === 0 ? cost : 1))),
      check() {},
    },
  };
  return timeCalls(scenarios, conditions);
};
