import { createDocumentRegistry } from '../../src/registry/create-document-registry.js';
import { createRulesStore } from '../../src/rules/store/rules-store.js';
import { createUsageReader } from '../../src/usage/query/usage-reader.js';

export const unused = (): never => {
  throw new Error('nothing is run here');
};

const db = { query: unused, tx: unused };
const store = createRulesStore(db);

/**
 * Required sources for an admin schema that is only printed, or of which a test uses only a part.
 */
export const UNUSED_SOURCES = {
  store,
  registry: createDocumentRegistry(db, store.write),
  usage: createUsageReader(db),
  apis: { services: unused, apiOf: unused, all: unused },
  quotaOf: unused,
  resetQuota: unused,
  healthOf: unused,
};
