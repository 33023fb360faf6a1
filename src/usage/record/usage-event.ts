import type { RecordedLimit, UsageRecord } from '../../model/usage-record.js';
import { keptOrNull } from '../../runtime/stored-text.js';
import { type AskedFor, NOT_KEPT } from './create-denied-documents.js';
import type { EventRow } from './usage-levels.js';

/** A row of `events` without an id and without the region, which is that of the writer. */
export type UsageEvent = Omit<EventRow, 'id' | 'at' | 'region'> & { atMs: number };

/** Whether an event of this kind, by this rule, is kept as a row. */
type MayKeep = (kind: EventRow['kind'], rule?: string) => boolean;

/**
 * Returns the events of an operation that may be kept. These are its denial, each shadow rule that
 * would have denied it, and its admission without the shared counters.
 * @param askedFor returns the document and variables of the operation. It is called at most once,
 * and only if a denial or a shadow denial is kept
 */
export function eventsOf(
  record: UsageRecord,
  mayKeep: MayKeep = () => true,
  askedFor: () => AskedFor = () => NOT_KEPT,
): UsageEvent[] {
  const { denial, deniedBy, degraded, limits } = record;
  if (denial !== undefined) {
    if (!mayKeep('DENIED', deniedBy)) return [];
    // If the rule has several windows, the event shows the one with the smallest remaining amount.
    const denying = limits.filter(({ rule }) => rule === deniedBy).sort((a, b) => a.remaining - b.remaining)[0];
    return [eventOf(record, 'DENIED', { limit: denying, rule: deniedBy, askedFor: askedFor() })];
  }
  const shadows = limits.filter(({ wouldDeny }) => wouldDeny);
  const kept = shadows.filter(
    ({ rule }, index) => shadows.findIndex((other) => other.rule === rule) === index && mayKeep('SHADOW_DENIED', rule),
  );
  const asked = kept.length > 0 ? askedFor() : NOT_KEPT;
  const events = kept.map((limit) => eventOf(record, 'SHADOW_DENIED', { limit, rule: limit.rule, askedFor: asked }));
  if (degraded && mayKeep('DEGRADED')) events.push(eventOf(record, 'DEGRADED', {}));
  return events;
}

/** Whether an operation has any event. Most operations have none. */
export function hasEvents(record: UsageRecord): boolean {
  return record.degraded || isDenied(record);
}

/** Whether a rule denied the operation, or a shadow rule would have. */
function isDenied({ denial, limits }: UsageRecord): boolean {
  if (denial !== undefined) return true;
  for (let index = 0; index < limits.length; index++) if (limits[index]!.wouldDeny) return true;
  return false;
}

/** Width of the column. The patterns of a rule for many fields can be longer. */
const MAX_FIELD = 256;

interface EventParts {
  limit?: RecordedLimit | undefined;
  rule?: string | undefined;
  askedFor?: AskedFor;
}

function eventOf(record: UsageRecord, kind: EventRow['kind'], { limit, rule, askedFor }: EventParts): UsageEvent {
  const { subject } = record;
  return {
    atMs: record.atMs,
    kind,
    code: record.denial ?? null,
    rule: rule ?? null,
    tenant_id: subject.tenant ?? null,
    user_id: subject.user ?? null,
    api_key: subject.apiKey ?? null,
    ip: subject.ip ?? null,
    tier: record.tier,
    operation_type: record.operationType,
    operation_name: keptOrNull(record.operationName),
    client: keptOrNull(record.client),
    integration: record.askedBy?.integration ?? null,
    service: keptOrNull(record.askedBy?.service),
    degraded: record.degraded,
    requested_cost: record.estimatedCost,
    scope: limit?.scope ?? null,
    field: limit?.field.slice(0, MAX_FIELD) ?? null,
    charge: limit?.charge ?? null,
    limit_amount: limit?.limit ?? null,
    used: limit?.used ?? null,
    remaining: limit?.remaining ?? null,
    retry_after_ms: limit && limit.retryAfterMs > 0 ? limit.retryAfterMs : null,
    app: record.document?.app ?? null,
    app_version: record.document?.version ?? null,
    document_id: record.document?.id ?? null,
    document: askedFor?.document ?? null,
    variables: askedFor?.variables ?? null,
  };
}
