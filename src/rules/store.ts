import type { Db } from '../store/db.js';
import { createApiKeyStore } from './store-api-keys.js';
import { createChangeLog } from './store-changes.js';
import { createSubjectStore } from './store-subjects.js';
import { createTierStore } from './store-tiers.js';

export type RulesStore = ReturnType<typeof createRulesStore>;

/**
 * Tiers, subjects and API keys in PostgreSQL, the source of truth for who may spend what. Every change says who made it,
 * in the same transaction. The tables must be there: `migrate` first.
 */
export function createRulesStore(db: Db) {
  const changes = createChangeLog(db);
  return {
    ...createTierStore(db, changes),
    ...createSubjectStore(db, changes),
    ...createApiKeyStore(db, changes),
    latestChange: changes.latestChange,
    onChange: changes.onChange,
  };
}
