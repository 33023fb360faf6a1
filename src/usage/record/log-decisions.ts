import { rootOf } from '../../model/subject.js';
import type { RecordedSubject, UsageRecord } from '../../model/usage-record.js';
import type { DecisionRow } from '../tables.js';
import { keptOrNull } from './stored-text.js';

/** A row of `decisions` that has no number yet; its fields still go by their names. */
export type LoggedDecision = Omit<DecisionRow, 'id' | 'at' | 'fields'> & {
  atMs: number;
  fields: readonly LoggedField[];
};

export interface LoggedField {
  coordinate: string;
  calls: number;
  cost: number;
  /** -1 where it is not known. */
  actualCalls: number;
  actualCost: number;
}

/**
 * Chooses whose decisions are logged, so that there are at most so many a second on average: all while there are few,
 * else those of a half of the callers, of a quarter, ... A caller's are logged whole or not at all, since a limit of theirs
 * can only be tried on all that they did; a tenant counts as one. A caller who is in at a small share is in at a larger one,
 * on every instance.
 */
export function createDecisionSample(perSecond: number) {
  const mostInWindow = perSecond * (WINDOW_MS / 1000);
  let window = Number.NaN;
  let taken = 0;
  let share = 1;

  return {
    /** The share of callers that is logged now, if this one is among them; else undefined. */
    shareFor({ atMs, subject }: UsageRecord): number | undefined {
      if (perSecond === 0) return undefined;
      const now = Math.floor(atMs / WINDOW_MS);
      if (now !== window) {
        // Twice the callers would have made about twice the decisions.
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

export function decisionOf(record: UsageRecord, sampled: number): LoggedDecision | undefined {
  const { subject, operationType, denial, fields } = record;
  if (operationType === 'UNPRICED') return undefined;
  const { bucket } = subject;
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
    own_bucket: bucket ? [bucket.capacity, bucket.refillAmount, bucket.refillPeriodMs] : null,
    batch: record.batchId ?? null,
    verdict: denial ?? 'ADMITTED',
    denied_by: denial === undefined ? null : (record.deniedBy ?? 'unknown'),
    degraded: record.degraded,
    estimated_cost: record.estimatedCost,
    actual_cost: record.actualCost ?? null,
    duration_ms: Math.min(Math.round(record.durationMs), MAX_DURATION_MS),
    fields: (fields?.measured() ?? []).map(({ coordinate, estimated, actual }) => ({
      coordinate,
      calls: estimated.calls,
      cost: estimated.cost,
      actualCalls: actual?.calls ?? -1,
      actualCost: actual?.cost ?? -1,
    })),
    sampled,
  };
}

const WINDOW_MS = 10_000;
const SMALLEST_SHARE = 2 ** -20;
const MAX_DURATION_MS = 2 ** 31 - 1;

/** Where in the sample a caller stands, from 0 to 1: FNV-1a with a finaliser, as similar names must land far apart. */
function placeOf(subject: RecordedSubject): number {
  const root = rootOf(subject);
  let hash = 0x811c9dc5;
  for (let index = 0; index < root.length; index++) hash = Math.imul(hash ^ root.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
