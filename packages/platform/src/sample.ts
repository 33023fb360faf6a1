import { createDemoContext, createDemoSchema, type TollgateSchemaParts } from './create-demo-schema.js';
import { demoCallers } from './demo-callers.js';
import { demoKeys, demoRules, demoTiers } from './demo-policy.js';
import { createDemoTraffic } from './demo-traffic.js';

/** The sample API as `tollgate start` and `tollgate gateway` load it. */
export function createSample(parts: TollgateSchemaParts) {
  return {
    schema: createDemoSchema(parts),
    context: createDemoContext,
    tiers: demoTiers,
    rules: demoRules,
    keys: demoKeys,
    callers: demoCallers,
    createTraffic: createDemoTraffic,
  };
}
