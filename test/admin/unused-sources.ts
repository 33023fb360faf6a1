import { createRulesStore } from '../../src/rules/store/rules-store.js';
import { createUsageReader } from '../../src/usage/query/usage-reader.js';

export const unused = (): never => {
  throw new Error('nothing is run here');
};

/**
 * Required sources for an admin schema that is only printed, or of which a test uses only a part.
 */
export const UNUSED_SOURCES = {
  store: createRulesStore({ query: unused, tx: unused }),
  usage: createUsageReader({ query: unused, tx: unused }),
  apis: { services: unused, apiOf: unused, all: unused },
  quotaOf: unused,
  resetQuota: unused,
  healthOf: unused,
};
