import type { Variant } from '../frame/bench.js';
import { measureDecisions } from './measure-decisions.js';
import { createScriptCaller } from './script-caller.js';

/**
 * Measures a script that does nothing, with the same keys and arguments as `floor.lua`. It shows
 * the minimum work of any script call.
 */
export const bare: Variant = async (conditions) => {
  const script = await createScriptCaller(conditions.redisUrl, 'return 1');
  return measureDecisions(conditions, async (subject) => void (await script.call(subject)), script.close);
};
