import { readFileSync } from 'node:fs';
import type { Variant } from '../frame/bench.js';
import { type Decide, measureDecisions } from './measure-decisions.js';
import { createScriptCaller } from './script-caller.js';

/** Measures the script floor.lua, the minimum work of a decision. */
export const floor: Variant = async (conditions) => {
  const text = readFileSync(new URL('./floor.lua', import.meta.url), 'utf8');
  const script = await createScriptCaller(conditions.redisUrl, text);
  const decide: Decide = async (subject) => {
    const left = await script.call(subject);
    if (!Buffer.isBuffer(left) || left.length === 0) throw new Error(`floor.lua denied ${JSON.stringify(subject)}`);
  };
  return measureDecisions(conditions, decide, script.close);
};
