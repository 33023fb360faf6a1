import type { Variant } from '../frame/bench.js';
import { measureDecisions } from './measure-decisions.js';
import { createScriptCaller } from './script-caller.js';

/**
 * Measures the minimum cost of any script call: the keys and arguments of the floor, without any
 * work.
 */
export const bare: Variant = async (conditions) => {
  const script = await createScriptCaller(conditions.redisUrl, 'return 1');
  return measureDecisions(conditions, async (subject) => void (await script.call(subject)), script.close);
};
