import type { DecisionRecord } from '../../../src/model/decision-record.js';

export const DECISION: DecisionRecord = {
  subject: { user: 'ann' },
  tier: 'free',
  operationType: 'QUERY',
  operationName: undefined,
  requestedCost: 5,
  chargedCost: 5,
  denial: undefined,
  deniedBy: undefined,
  shadowDeniedBy: [],
  wouldBeDeniedBy: [],
  degraded: false,
  durationMs: 1,
  waitedMs: undefined,
  mode: 'ENFORCE',
};
