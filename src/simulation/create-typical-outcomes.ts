import { RECORDED_AMOUNTS } from '../model/usage-record.js';
import type { RecordedDecision } from './recorded-decision.js';

/** Decision with its actual cost, or with a prediction of it. */
export type CompletedDecision = RecordedDecision & { ran: boolean };

/** Sums of the estimates and actual results of the operations of one name. */
interface Outcomes {
  count: number;
  durationMs: number;
  cost: Sums;
  amounts: Sums[];
  fields: Map<string, { calls: Sums; cost: Sums; amounts: Sums[] }>;
}

interface Sums {
  estimated: number;
  actual: number;
}

/** Maximum number of operation names, because callers choose them. */
const MAX_NAMES = 10_000;

/**
 * Creates a prediction of the actual cost that a denied operation would have had. It multiplies an
 * estimate by the sum of actual costs divided by the sum of estimates. The sums are those of
 * earlier operations of the same name. Without such operations the prediction is the estimate.
 */
export function createTypicalOutcomes() {
  const known = new Map<string, Outcomes>();
  const keyOf = ({ operationType, operationName }: RecordedDecision) => `${operationType} ${operationName ?? ''}`;

  return {
    learn(decision: RecordedDecision): void {
      const { denied, estimatedCost, actualCost, estimatedFields, actualFields, durationMs } = decision;
      const { estimatedAmounts, actualAmounts } = decision;
      if (denied || actualCost === null) return;
      const key = keyOf(decision);
      const outcomes = known.get(key) ?? {
        count: 0,
        durationMs: 0,
        cost: noSums(),
        amounts: noAmounts(),
        fields: new Map(),
      };
      if (known.size < MAX_NAMES) known.set(key, outcomes);
      outcomes.count++;
      outcomes.durationMs += durationMs;
      add(outcomes.cost, estimatedCost, actualCost);
      addAmounts(outcomes.amounts, estimatedAmounts ?? undefined, actualAmounts ?? undefined);
      const actual = new Map(actualFields.map((field) => [field.coordinate, field]));
      for (const { coordinate, calls, cost, amounts } of estimatedFields) {
        const sums = outcomes.fields.get(coordinate) ?? { calls: noSums(), cost: noSums(), amounts: noAmounts() };
        outcomes.fields.set(coordinate, sums);
        add(sums.calls, calls, actual.get(coordinate)?.calls ?? 0);
        add(sums.cost, cost, actual.get(coordinate)?.cost ?? 0);
        addAmounts(sums.amounts, amounts, actual.get(coordinate)?.amounts);
      }
    },

    complete(decision: RecordedDecision): CompletedDecision {
      if (!decision.denied) return { ...decision, ran: hasRun(decision) };
      const outcomes = known.get(keyOf(decision));
      return {
        ...decision,
        ran: true,
        actualCost: scaled(decision.estimatedCost, outcomes?.cost),
        actualAmounts: scaledAmounts(decision.estimatedAmounts ?? undefined, outcomes?.amounts) ?? null,
        actualFields: decision.estimatedFields.map(({ coordinate, calls, cost, amounts }) => {
          const sums = outcomes?.fields.get(coordinate);
          return {
            coordinate,
            calls: scaled(calls, sums?.calls),
            cost: scaled(cost, sums?.cost),
            amounts: scaledAmounts(amounts, sums?.amounts),
          };
        }),
        durationMs: outcomes === undefined ? 0 : Math.round(outcomes.durationMs / outcomes.count),
      };
    },
  };
}

/**
 * Returns whether the operation ran. Every operation that ran called a field, even if that cost
 * nothing.
 */
function hasRun({ actualCost, actualFields }: RecordedDecision): boolean {
  return actualCost !== 0 || actualFields.some(({ calls }) => calls > 0);
}

function noSums(): Sums {
  return { estimated: 0, actual: 0 };
}

function add(sums: Sums, estimated: number, actual: number): void {
  sums.estimated += estimated;
  sums.actual += actual;
}

function noAmounts(): Sums[] {
  return RECORDED_AMOUNTS.map(noSums);
}

function addAmounts(all: readonly Sums[], estimated?: readonly number[], actual?: readonly number[]): void {
  for (const [index, sums] of all.entries()) add(sums, estimated?.[index] ?? 0, actual?.[index] ?? 0);
}

function scaledAmounts(amounts: readonly number[] | undefined, all?: readonly Sums[]): number[] | undefined {
  return amounts?.map((amount, index) => scaled(amount, all?.[index]));
}

function scaled(number: number, { estimated, actual }: Sums = noSums()): number {
  return estimated === 0 ? number : Math.round((number * actual) / estimated);
}
