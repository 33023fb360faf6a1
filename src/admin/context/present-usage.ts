import type { FieldPrice } from '../../cost/schema/field-price.js';
import type { FieldDrift } from '../../usage/query/operation-drift.js';
import type { Denial, Violation } from '../../usage/query/read-denials.js';
import type { GroupedUsage } from '../../usage/query/read-usage.js';
import type { RangePart } from '../../usage/query/time-range.js';
import type { DenialType, DeniedDocumentType, ViolationType } from '../types/denial-type.js';
import type { FieldAccuracyType, UsageType } from '../types/usage-type.js';
import { presentCaller, presentUsageCaller } from './present-caller.js';

/**
 * Returns the settings of a field's price in the protected schema. Returns null if the schema has
 * no such field.
 */
export type FieldPriceOf = (coordinate: string) => FieldPrice | null;

/** @param bucketMs length of the period that each row is for: a minute, an hour or a day */
export function presentUsage(bucketMs: number): (row: GroupedUsage) => UsageType {
  return ({ bucket, cursor: _cursor, tenant, integration, region, subject, ...row }) => ({
    ...row,
    caller: subject && presentUsageCaller(subject),
    tenant: tenant || null,
    integration: integration || null,
    region: region || null,
    from: bucket,
    to: new Date(bucket.getTime() + bucketMs),
  });
}

export function presentDenial(row: Denial): DenialType {
  return {
    at: row.at,
    ruleName: row.rule,
    shadow: row.kind === 'SHADOW_DENIED',
    code: row.code,
    caller: presentCaller({ user: row.user_id, tenant: row.tenant_id, apiKey: row.api_key, ip: row.ip }),
    tier: row.tier,
    operation: { type: row.operation_type, name: row.operation_name },
    registeredDocument: registeredOf(row),
    documentHash: row.document,
    variables: row.variables === null ? null : JSON.parse(row.variables),
    client: row.client,
    integration: row.integration,
    service: row.service,
    region: row.region,
    degraded: row.degraded,
    requestedCost: row.requested_cost,
    scope: row.scope,
    field: row.field,
    charge: row.charge,
    limit: row.limit_amount,
    used: row.used,
    remaining: row.remaining,
    retryAfterMs: row.retry_after_ms,
  };
}

function registeredOf({
  app,
  app_version: version,
  document_id: documentId,
}: Denial): DenialType['registeredDocument'] {
  return app === null || version === null || documentId === null ? null : { app, version, documentId };
}

/** @param parts parts of the range of the query, in order of time */
export function presentViolation(parts: readonly RangePart[]): (row: Violation) => ViolationType {
  const range = { from: parts[0]!.from, to: parts.at(-1)!.to };
  return ({ rule, ...row }) => ({ ...row, ruleName: rule, caller: presentUsageCaller(row.subject), range });
}

export function presentDeniedDocument({ hash, text }: { hash: string; text: string }): DeniedDocumentType {
  return { id: hash, text };
}

export function presentFieldDrift(row: FieldDrift, price: FieldPrice | null): FieldAccuracyType {
  const { estimatedCalls, actualCalls, estimatedCost, actualCost } = row;
  const estimatedCostPerCall = estimatedCalls === 0 ? null : estimatedCost / estimatedCalls;
  const actualCostPerCall = actualCalls === 0 ? null : actualCost / actualCalls;
  return {
    ...row,
    ratio: actualCost / estimatedCost,
    estimatedCostPerCall,
    actualCostPerCall,
    ...suggestPrice(price, estimatedCostPerCall, actualCostPerCall),
  };
}

/**
 * Minimum relative difference for a suggestion. Operations cost whole tokens and traffic varies
 * from day to day, so smaller differences are noise.
 */
const WORTH_A_CHANGE = 0.1;

/**
 * Suggests the setting that would have priced the calls of a field correctly on average. The
 * estimate per call is `price of one item x assumedSize + weight`. From this, the function computes
 * the price of one item, and then the size for the actual cost.
 */
function suggestPrice(
  price: FieldPrice | null,
  estimatedPerCall: number | null,
  actualPerCall: number | null,
): { assumedSize: number | null; suggestedAssumedSize: number | null; suggestedWeight: number | null } {
  const nothing = { assumedSize: price?.assumedSize ?? null, suggestedAssumedSize: null, suggestedWeight: null };
  if (price === null || estimatedPerCall === null || actualPerCall === null) return nothing;
  if (Math.abs(actualPerCall - estimatedPerCall) <= WORTH_A_CHANGE * estimatedPerCall) return nothing;
  const { assumedSize, weight, isList } = price;
  if (!isList) return { ...nothing, suggestedWeight: round(actualPerCall) };
  if (assumedSize === null || assumedSize === 0) return nothing;
  const perItem = (estimatedPerCall - weight) / assumedSize;
  if (perItem <= 0) return nothing;
  const suggested = Math.max(0, Math.ceil((actualPerCall - weight) / perItem));
  return suggested === assumedSize ? nothing : { ...nothing, suggestedAssumedSize: suggested };
}

function round(weight: number): number {
  return Math.round(weight * 10) / 10;
}
