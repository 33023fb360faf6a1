import { METRICS, measureDocuments } from './documents/measure-documents.js';
import type { Bench } from './frame/bench.js';

export const bench: Bench = {
  title:
    'documents that are sent as texts, which are in the cache, and registered documents that are sent by their ids; ' +
    'one limit, counters in memory. "decision" is the work from the request body to the admission',
  metrics: METRICS,
  variants: {
    'protect, text': measureDocuments('protect', 'text'),
    'protect, id': measureDocuments('protect', 'id'),
    'Apollo Server, text': measureDocuments('Apollo Server', 'text'),
    'Apollo Server, id': measureDocuments('Apollo Server', 'id'),
  },
  baselines: ['protect, text', 'Apollo Server, text'],
  rounds: 3,
};
