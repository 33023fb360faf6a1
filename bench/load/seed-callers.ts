import type { RulesStore } from '../../src/rules/store/rules-store.js';
import { type Platform, post } from '../../test/helpers/platform.js';

const ACTOR = { name: 'load', authMethod: 'SYSTEM' as const };
const AT_ONCE = 4;

/** Creates users on a tier, with an API key each. Resolves to the keys. */
export async function seedCallers(store: RulesStore, prefix: string, tier: string, count: number): Promise<string[]> {
  const keys = Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
  for (let from = 0; from < count; from += AT_ONCE) {
    await Promise.all(keys.slice(from, from + AT_ONCE).map((key) => seedCaller(store, key, tier)));
  }
  return keys;
}

async function seedCaller(store: RulesStore, key: string, tier: string): Promise<void> {
  await store.upsertSubject({ user: key, tier }, ACTOR);
  await store.createApiKey({ user: key, name: 'Load', known: { prefix: key, secret: key } }, ACTOR);
}

/**
 * Sends one operation with each key. The platform then caches the callers, so it can identify them
 * even while PostgreSQL is unavailable.
 */
export async function introduceCallers({ url }: Platform, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    const { status, body } = await post(`${url}/graphql`, '{ country(code: "SE") { name } }', { 'x-api-key': key });
    if (status !== 200) throw new Error(`the request with ${key} got status ${status}: ${JSON.stringify(body)}`);
  }
}

/** Creates a tier whose bucket refills by only one token per day. */
export async function seedMeteredTier(store: RulesStore, name: string, capacity: number): Promise<void> {
  await store.ensureTiers([{ name, capacity, refillAmount: 1, refillPeriodMs: 86_400_000 }], ACTOR);
}
