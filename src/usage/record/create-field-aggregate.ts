import type { FieldNumbers, UsageRecord } from '../../model/usage-record.js';
import type { UsageFieldRow } from './usage-levels.js';

/** Counts of one minute and one field. */
export interface FieldEntry extends Omit<UsageFieldRow, 'bucket' | 'field_id'> {
  minuteMs: number;
  coordinate: string;
}

type FieldRecord = Pick<UsageRecord, 'fields' | 'denial'>;

interface FieldAggregate {
  /** Adds a record. Returns the number of new entries. */
  add(record: FieldRecord): number;
  entries(): FieldEntry[];
}

/**
 * Maximum number of estimate arrays and coordinate arrays that are compared by identity. Most
 * requests share one of a few arrays.
 */
const MAX_ARRAYS = 256;

/**
 * Sums the costs of fields in one minute. Operations with the same array of fields are first summed
 * by the index in that array. The sums by name are computed from these later, once for all such
 * operations.
 */
export function createFieldAggregate(minuteMs: number): FieldAggregate {
  const fields = new Map<string, FieldEntry>();
  /**
   * Number of operations per array of estimates. Each array is added only once, multiplied by that
   * number.
   */
  const estimates = new Map<readonly FieldNumbers[], { requests: number; denied: number }>();
  /** Sums of the actual values, by the array of their coordinates. */
  const actuals = new Map<readonly string[], { calls: number[]; costs: number[] }>();

  function entryOf(coordinate: string): FieldEntry {
    let entry = fields.get(coordinate);
    if (entry === undefined) {
      entry = {
        minuteMs,
        coordinate,
        requests: 0,
        denied: 0,
        estimated_calls: 0,
        actual_calls: 0,
        estimated_cost: 0,
        actual_cost: 0,
      };
      fields.set(coordinate, entry);
    }
    return entry;
  }

  function countAlike(estimated: readonly FieldNumbers[], isDenied: boolean): void {
    let alike = estimates.get(estimated);
    if (alike === undefined) {
      if (estimates.size >= MAX_ARRAYS) addEstimates();
      alike = { requests: 0, denied: 0 };
      estimates.set(estimated, alike);
      // Create the entries now, so that `add` returns their number.
      for (const { coordinate } of estimated) entryOf(coordinate);
    }
    alike.requests++;
    if (isDenied) alike.denied++;
  }

  function addEstimates(): void {
    for (const [estimated, { requests, denied }] of estimates) {
      for (const field of estimated) {
        const entry = entryOf(field.coordinate);
        entry.requests += requests;
        entry.denied += denied;
        entry.estimated_calls += field.calls * (requests - denied);
        entry.estimated_cost += field.cost * (requests - denied);
      }
    }
    estimates.clear();
  }

  function addActual(coordinate: string, calls: number, cost: number): void {
    const entry = entryOf(coordinate);
    entry.actual_calls += calls;
    entry.actual_cost += cost;
  }

  function addActuals(): void {
    for (const [coordinates, { calls, costs }] of actuals) {
      coordinates.forEach((coordinate, index) => {
        if (calls[index]! > 0) addActual(coordinate, calls[index]!, costs[index]!);
      });
    }
    actuals.clear();
  }

  function count({ fields: recorded, denial }: FieldRecord): void {
    if (recorded === undefined) return;
    const estimated = recorded.estimated();
    countAlike(estimated, denial !== undefined);
    if (denial !== undefined) return;
    const actual = recorded.actual();
    if (actual === undefined) {
      for (const { coordinate, calls, cost } of estimated) addActual(coordinate, calls, cost);
      return;
    }
    const { coordinates, calls, costs } = actual;
    const sums = actuals.get(coordinates);
    if (sums === undefined) {
      if (actuals.size >= MAX_ARRAYS) addActuals();
      actuals.set(coordinates, { calls: [...calls], costs: [...costs] });
      return;
    }
    for (let index = 0; index < calls.length; index++) {
      sums.calls[index]! += calls[index]!;
      sums.costs[index]! += costs[index]!;
    }
  }

  return {
    add(record) {
      const before = fields.size;
      count(record);
      return fields.size - before;
    },

    entries() {
      addEstimates();
      addActuals();
      return [...fields.values()];
    },
  };
}
