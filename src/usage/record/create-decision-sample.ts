import type { BucketParameters } from '../../model/limit-parameters.js';
import { rootOf } from '../../model/subject.js';
import type { MeasuredAmounts, RecordedAmount, RecordedSubject, UsageRecord } from '../../model/usage-record.js';
import { keptOrNull } from '../../runtime/stored-text.js';
import { endOf, isAnotherWindow } from './is-another-window.js';
import type { DecisionRow } from './usage-levels.js';

/**
 * A row of `decisions` without an id and without the region, which is that of the writer. Its fields
 * are still identified by name.
 */
export type LoggedDecision = Omit<DecisionRow, 'id' | 'at' | 'fields' | 'region'> & {
  atMs: number;
  fields: readonly LoggedField[];
};

interface LoggedField {
  coordinate: string;
  calls: number;
  cost: number;
  /** Number of actual calls. -1 if unknown. */
  actualCalls: number;
  actualCost: number;
}

/**
 * Chooses the callers whose decisions are logged. The average number of logged decisions per second
 * stays below `perSecond`. With few decisions, all callers are logged. As the number of decisions
 * grows, half of the callers are logged, then a quarter, and so on.
 *
 * A caller is logged completely or not at all, because a limit can only be simulated with all of
 * the caller's operations. A tenant counts as one caller. A caller who is in a small share is also
 * in every larger share, on every instance.
 */
export function createDecisionSample(perSecond: number) {
  const mostInWindow = perSecond * (WINDOW_MS / 1000);
  let window = Number.NaN;
  let taken = 0;
  let share = 1;

  return {
    /** Returns the current share of logged callers if this caller is included, else undefined. */
    shareFor(record: UsageRecord): number | undefined {
      if (perSecond === 0) return undefined;
      const { subject } = record;
      const now = windowOf(record);
      if (isAnotherWindow(now, window)) {
        // A doubled share would have logged about twice as many decisions in the window that ended.
        if (taken * 2 <= mostInWindow && share < 1) share *= 2;
        window = now;
        taken = 0;
      }
      if (placeOf(subject) >= share) return undefined;
      if (++taken >= mostInWindow && share > SMALLEST_SHARE) {
        share /= 2;
        taken = Math.floor(taken / 2);
      }
      return share;
    },
  };
}

/**
 * Chooses the decisions that are logged with their fields. The first time that the fields of an
 * operation are measured, this takes time that grows with the square of its size. The budget
 * prevents a caller who always sends new large operations from blocking the process.
 */
export function createMeasuringBudget() {
  let window = Number.NaN;
  let left = 0;

  return {
    allows(record: UsageRecord): boolean {
      const { fields } = record;
      const now = windowOf(record);
      if (isAnotherWindow(now, window)) {
        window = now;
        left = MEASURING_STEPS_IN_WINDOW;
      }
      const steps = fields?.measuringSteps() ?? 0;
      if (steps > left) return false;
      left -= steps;
      return true;
    },
  };
}

/**
 * Returns the decision of an operation. Operations without a price have none.
 * @param isMeasured whether the decision includes the operation's fields
 */
export function decisionOf(record: UsageRecord, sampled: number, isMeasured: boolean): LoggedDecision | undefined {
  const { subject, operationType, denial, fields } = record;
  if (operationType === 'UNPRICED') return undefined;
  const { bucket, keyBudget } = subject;
  const measured = (isMeasured && fields?.measured()) || [];
  return {
    atMs: record.atMs,
    tenant_id: subject.tenant ?? null,
    user_id: subject.user ?? null,
    api_key: subject.apiKey ?? null,
    ip: subject.ip ?? null,
    tier: record.tier,
    operation_type: operationType,
    operation_name: keptOrNull(record.operationName),
    client: keptOrNull(record.client),
    agent: record.isAgent,
    app: record.document === null ? '' : (record.document?.app ?? null),
    app_version: record.document === null ? '' : (record.document?.version ?? null),
    own_bucket: numbersOf(bucket),
    key_budget: numbersOf(keyBudget && 'calendar' in keyBudget ? undefined : keyBudget),
    key_calendar: keyBudget && 'calendar' in keyBudget ? keyBudget.calendar : null,
    billing_anchor: subject.billingAnchor ?? null,
    batch: record.batchId ?? null,
    verdict: denial ?? 'ADMITTED',
    denied_by: denial === undefined ? null : (record.deniedBy ?? 'unknown'),
    degraded: record.degraded,
    estimated_cost: record.estimatedCost,
    actual_cost: record.actualCost ?? null,
    duration_ms: Math.min(Math.round(record.durationMs), MAX_DURATION_MS),
    fields: measured.map(({ coordinate, estimated, actual }) => ({
      coordinate,
      calls: estimated.calls,
      cost: estimated.cost,
      actualCalls: actual?.calls ?? -1,
      actualCost: actual?.cost ?? -1,
    })),
    amounts: amountsOf(
      measured.map(({ coordinate }) => coordinate),
      fields?.amounts() ?? NO_AMOUNTS,
    ),
    sampled,
  };
}

const NOTHING: RecordedAmount = { total: 0, fields: [] };
/** Amounts of an operation whose fields are not recorded. */
const NO_AMOUNTS: MeasuredAmounts = { estimated: [NOTHING, NOTHING, NOTHING], actual: undefined };

/**
 * Returns the amounts in the layout of `DECISION_AMOUNTS`. Most fields are leaves, which have none.
 */
function amountsOf(coordinates: readonly string[], { estimated, actual }: MeasuredAmounts): number[] {
  const all = [...estimated, ...(actual ?? [])];
  const unknown = actual === undefined ? estimated.map(() => -1) : [];
  const places = new Map(coordinates.map((coordinate, place) => [coordinate, place]));
  const ofFields = new Map<number, number[]>();
  for (const [index, { fields }] of all.entries()) {
    for (const { coordinate, cost } of fields) {
      const place = places.get(coordinate);
      if (cost === 0 || place === undefined) continue;
      const numbers = ofFields.get(place) ?? [...all.map(() => 0), ...unknown];
      numbers[index] = cost;
      ofFields.set(place, numbers);
    }
  }
  const rows = [...ofFields].flatMap(([place, numbers]) => [place, ...numbers]);
  return [...all.map(({ total }) => total), ...unknown, ...rows];
}

function windowOf(record: UsageRecord): number {
  return Math.floor(endOf(record) / WINDOW_MS);
}

const WINDOW_MS = 10_000;
/** Maximum number of measuring steps per window. They take at most a quarter of a second. */
const MEASURING_STEPS_IN_WINDOW = 500_000;
const SMALLEST_SHARE = 2 ** -20;
const MAX_DURATION_MS = 2 ** 31 - 1;

/**
 * Returns the caller's position in the sample, from 0 to 1. The hash is FNV-1a with a finalizer,
 * because similar names must get distant positions.
 */
function placeOf(subject: RecordedSubject): number {
  const root = rootOf(subject);
  let hash = 0x811c9dc5;
  for (let index = 0; index < root.length; index++) hash = Math.imul(hash ^ root.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

function numbersOf(bucket: BucketParameters | undefined): number[] | null {
  return bucket ? [bucket.capacity, bucket.refillAmount, bucket.refillPeriodMs] : null;
}
