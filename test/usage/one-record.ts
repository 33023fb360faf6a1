import type { FieldNumbers, FieldSums, UsageRecord } from '../../src/model/usage-record.js';

/** Converts fields to parallel arrays of coordinates, calls and costs. */
export function sumsOf(fields: readonly FieldNumbers[]): FieldSums {
  return {
    coordinates: fields.map(({ coordinate }) => coordinate),
    calls: fields.map(({ calls }) => calls),
    costs: fields.map(({ cost }) => cost),
  };
}

const NOTHING = { total: 0, fields: [] };

/** Members of `fields` in a record without measured fields. */
export const NOT_MEASURED = {
  measured: () => [],
  measuringSteps: () => 0,
  amounts: () => ({ estimated: [NOTHING, NOTHING, NOTHING], actual: undefined }),
};

/** Returns a record of an operation that was admitted now, with the given differences. */
export function recordOf(differs: Partial<UsageRecord> = {}): UsageRecord {
  return {
    atMs: Date.now(),
    durationMs: 1,
    subject: { user: 'ann' },
    tier: 'free',
    operationType: 'QUERY',
    operationName: 'Home',
    client: undefined,
    isAgent: false,
    batchId: undefined,
    denial: undefined,
    deniedBy: undefined,
    degraded: false,
    estimatedCost: 2,
    actualCost: 1,
    limits: [],
    fields: { ...NOT_MEASURED, estimated: () => [], actual: () => sumsOf([]) },
    ...differs,
  };
}
