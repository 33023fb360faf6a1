import { createDemoContext, createDemoSchema, type TollgateSchemaParts } from './create-demo-schema.js';
import { demoCallers } from './demo-callers.js';
import { demoKeys, demoRules, demoTiers } from './demo-policy.js';
import { createDemoTraffic } from './demo-traffic.js';

/** Creates the sample API for `tollgate start` and `tollgate gateway`. */
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
