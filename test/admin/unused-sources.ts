import { createRulesStore } from '../../src/rules/store/rules-store.js';
import { createUsageReader } from '../../src/usage/query/usage-reader.js';

export const unused = (): never => {
  throw new Error('nothing is run here');
};

/** What an admin schema needs that is only printed, or of which the test uses a part. */
export const UNUSED_SOURCES = {
  store: createRulesStore({ query: unused, tx: unused }),
  usage: createUsageReader({ query: unused, tx: unused }),
  apis: { services: unused, apiOf: unused, all: unused },
  quotaOf: unused,
  resetQuota: unused,
  healthOf: unused,
};
