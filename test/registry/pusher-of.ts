import type { Db } from '../../src/postgres/db.js';
import { createDocumentRegistry, type DocumentPush } from '../../src/registry/create-document-registry.js';
import { createRulesStore } from '../../src/rules/store/rules-store.js';

export const ACTOR = { name: 'ci', authMethod: 'COMMAND_LINE' as const };

/** Returns a function that stores and publishes a version. It throws if the push is rejected. */
export function pusherOf(db: Db) {
  const registry = createDocumentRegistry(db, createRulesStore(db).write);
  return async (push: DocumentPush) => {
    const outcome = await registry.push({ publish: true, ...push }, ACTOR);
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.userErrors));
    return outcome.value;
  };
}
