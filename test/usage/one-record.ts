import type { UsageRecord } from '../../src/usage/usage-record.js';

/** An admitted operation of now, but for what is said. */
export function recordOf(differs: Partial<UsageRecord> = {}): UsageRecord {
  return {
    atMs: Date.now(),
    durationMs: 1,
    subject: { user: 'ann' },
    tier: 'free',
    operationType: 'QUERY',
    operationName: 'Home',
    client: undefined,
    batchId: undefined,
    denial: undefined,
    deniedBy: undefined,
    degraded: false,
    estimatedCost: 2,
    actualCost: 1,
    limits: [],
    fields: { estimated: () => [], actual: () => [], measured: () => [] },
    ...differs,
  };
}
