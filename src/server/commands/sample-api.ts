import type { Tollgate } from '../../create-tollgate.js';
import { createDemoContext, createDemoSchema } from '../../demo/create-demo-schema.js';
import { demoKeys, demoRules, demoTiers } from '../../demo/demo-policy.js';
import { hashApiKey } from '../../rules/store/api-keys.js';
import type { StartServerOptions } from '../start-server-options.js';

/** The sample API, with its tiers, its rules, and callers with keys that everybody may know. */
export function sampleApi(): StartServerOptions & Pick<Required<StartServerOptions>, 'schema' | 'context'> {
  return {
    schema: createDemoSchema(),
    context: createDemoContext,
    tiers: demoTiers,
    rules: demoRules,
    mayReportCost: () => true,
    prepare: addDemoSubjects,
  };
}

async function addDemoSubjects({ store, health }: Pick<Tollgate, 'store' | 'health'>): Promise<void> {
  if (!store || health()?.databaseAway) return;
  const actor = { name: 'tollgate', authMethod: 'SYSTEM' as const };
  for (const { key, subject } of demoKeys) {
    if (await store.findSubjectByApiKeyHash(hashApiKey(key))) continue;
    const { user, tenant, tier } = subject;
    const who = { user, ...(tenant !== undefined && { tenant }) };
    await store.upsertSubject({ ...who, tier }, actor);
    await store.createApiKey({ ...who, name: 'Sample API', known: { prefix: key, secret: key } }, actor);
  }
}
