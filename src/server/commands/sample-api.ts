import type { Tollgate } from '../../create-tollgate.js';
import { createDemoContext, createDemoSchema } from '../../demo/create-demo-schema.js';
import { demoCallers } from '../../demo/demo-callers.js';
import { type DemoKey, demoKeys, demoRules, demoTiers } from '../../demo/demo-policy.js';
import { createDemoTraffic, type DemoTraffic } from '../../demo/demo-traffic.js';
import { hashSecret } from '../../rules/store/callers/hash-secret.js';
import type { StartServerOptions } from '../start-server-options.js';

/**
 * The sample API, with its tiers, its rules, and callers with keys that everybody may know; with `traffic`, the made-up
 * callers too.
 */
export function sampleApi({
  traffic = false,
}: {
  traffic?: boolean;
} = {}): StartServerOptions & Pick<Required<StartServerOptions>, 'schema' | 'context'> {
  return {
    schema: createDemoSchema(),
    context: createDemoContext,
    tiers: demoTiers,
    rules: demoRules,
    mayReportCost: () => true,
    prepare: (tollgate) => addDemoSubjects(tollgate, traffic ? [...demoKeys, ...demoCallers] : demoKeys),
  };
}

/** The made-up callers, who ask nothing until they are turned on. */
export function sampleTraffic(url: string): DemoTraffic {
  return createDemoTraffic({ url });
}

async function addDemoSubjects(
  { store, health }: Pick<Tollgate, 'store' | 'health'>,
  keys: readonly DemoKey[],
): Promise<void> {
  if (!store || health()?.databaseAway) return;
  const actor = { name: 'tollgate', authMethod: 'SYSTEM' as const };
  for (const { key, subject } of keys) {
    if (await store.findSubjectByApiKeyHash(hashSecret(key))) continue;
    const { user, tenant, tier } = subject;
    const who = { user, ...(tenant !== undefined && { tenant }) };
    await store.upsertSubject({ ...who, tier }, actor);
    await store.createApiKey({ ...who, name: 'Sample API', known: { prefix: key, secret: key } }, actor);
  }
}
