import { GraphQLError } from 'graphql';
import type { MostExpensivePath } from '../../cost/explain/find-most-expensive-paths.js';
import type { Decision } from '../../limiter/charge/decision.js';
import { ERRORS, errorOf } from '../../model/errors.js';
import type { LimitState, RegionPart } from '../../model/limit-parameters.js';
import type { AnswerDetail, Measure } from '../../model/rule.js';
import { inRegion } from './cost-extension.js';
import { countOf, describeLimit, UNITS, waitText } from './describe-limit.js';
import { isSlotLimit } from './is-slot-limit.js';
import type { LimitOutcome } from './limit-outcome.js';
import { retryAfterSeconds } from './quota-headers.js';

type Denied = Extract<Decision, { admitted: false }>;

/** Argument of a denied operation, and its largest value with which it would be admitted now. */
export interface SizeSuggestion {
  /** Field and argument, such as `Query.users(first:)`. */
  argument: string;
  /** Name of the variable that sets the value. Absent for a number in the document. */
  variable?: string;
  /** Value in the denied operation. */
  current: number;
  largest: number;
}

interface DenialParts {
  decision: Denied;
  outcomes: readonly LimitOutcome[];
  /** Returns the amount that the operation would have charged to a limit. */
  costOf(limitId: string): number;
  mostExpensivePaths(): readonly MostExpensivePath[];
  /** Returns a smaller list with which the operation would be admitted. */
  suggestion?(): SizeSuggestion | undefined;
  /** State of the limits now, if the denial changed them. @default the states of the decision */
  states?: readonly LimitState[];
  /** Time of the denial, in epoch milliseconds. */
  nowMs: number;
  /** HTTP status of a THROTTLED response. */
  denialStatus: 429 | 200;
  /** Level of detail that the caller may see. */
  detail: AnswerDetail;
  /**
   * Whether the operation was denied before it was priced. It may then have to wait longer than its
   * denial reports.
   */
  isFloor?: boolean;
}

/** Verb of the message, by the measure of the limit. */
const NEEDS: Readonly<Record<Measure, string>> = {
  COST: 'costs',
  CALLS: 'makes',
  REQUESTS: 'counts as',
  NODES: 'can return',
  TYPE_COST: 'has',
  FIELD_COST: 'has',
  SUBSCRIPTIONS: 'counts as',
  CONNECTIONS: 'counts as',
};

/**
 * Returns the error of a denied operation. The error reports the amounts, the limit that denied the
 * operation, and the time after which it would be admitted.
 */
export function denialError({
  decision,
  outcomes,
  costOf,
  mostExpensivePaths,
  suggestion = () => undefined,
  states = decision.limits,
  nowMs,
  denialStatus,
  detail,
  isFloor = false,
}: DenialParts): GraphQLError {
  const denier = outcomes.find(({ state }) => state.id === decision.deniedBy);
  const name = denier?.limit.ruleName ?? decision.deniedBy;
  const requested = costOf(decision.deniedBy);
  const measure = denier?.limit.measure ?? 'COST';
  if (decision.code === 'COST_EXCEEDS_CAPACITY') {
    const { limit = 0 } = denier?.state ?? {};
    const remaining = states.find(({ id }) => id === decision.deniedBy)?.remaining ?? 0;
    return maxCostError({
      measure,
      cost: requested,
      limit,
      remaining,
      deniedBy: name,
      mostExpensivePaths,
      suggestion,
      detail,
      part: denier?.state.part,
    });
  }
  const retryAfterMs = decision.retryAfterMs;
  const whenToRetry = retryAfterMs !== undefined && { retryAfterMs, retryAt: isoTimeAt(nowMs + retryAfterMs) };
  const headers = new Map<string, string>();
  if (retryAfterMs !== undefined) headers.set('retry-after', retryAfterSeconds(retryAfterMs));
  if (decision.code === 'UNDECIDED') {
    const { message } = ERRORS.UNDECIDED;
    const wait = retryAfterMs === undefined ? '' : `; retry in ${waitText(retryAfterMs)}`;
    if (detail === 'NONE')
      return errorOf('UNDECIDED', `${message}${wait}`, { extensions: { ...whenToRetry }, headers });
    const why = `operations in flight may use up "${name}". Nothing was charged`;
    return errorOf('UNDECIDED', `${message}: ${why}${wait}`, {
      extensions: { ...whenToRetry, deniedBy: name },
      headers,
    });
  }
  if (decision.code === 'UNAVAILABLE') {
    if (detail === 'NONE') return errorOf('UNAVAILABLE', ERRORS.UNAVAILABLE.message, { headers });
    const message = `${ERRORS.UNAVAILABLE.message}: "${name}" cannot be checked at the moment`;
    return errorOf('UNAVAILABLE', message, { extensions: { deniedBy: name }, headers });
  }
  const response = denier?.limit.rule?.response;
  const status = response?.status ?? denialStatus;
  const own = {
    ...(response?.code !== undefined && { code: response.code }),
    ...whenToRetry,
  };
  if (detail === 'NONE') {
    const wait = retryAfterMs === undefined ? '' : `; retry in ${waitText(retryAfterMs)}`;
    return errorOf('THROTTLED', response?.message ?? `${ERRORS.THROTTLED.message}${wait}`, {
      extensions: own,
      status,
      headers,
    });
  }
  const smaller = suggestion();
  const { limit, remaining = 0 } = denier?.state ?? {};
  const message =
    response?.message ??
    `${ERRORS.THROTTLED.message}: ${name}${denier ? `: ${explain(denier, requested)}` : ''}${whenOf(denier, retryAfterMs)}${howToShrink(smaller, ', or')}`;
  return errorOf('THROTTLED', message, {
    extensions: {
      ...own,
      ...(retryAfterMs !== undefined && isFloor && { isFloor }),
      ...(lacksOnlySlots(outcomes) && { isConcurrency: true }),
      ...(decision.waitedMs !== undefined && { waitedMs: decision.waitedMs }),
      deniedBy: name,
      cost: requested,
      unit: UNITS[measure],
      limit,
      remaining,
      ...(denier && inRegion(denier.state)),
      maxAffordableCost: decision.maxAdmissibleCost,
      ...(smaller && { suggestion: smaller }),
    },
    status,
    headers,
  });
}

/**
 * Returns whether only `CONCURRENCY` limits are violated. The operation is then admitted as soon as
 * enough other operations end.
 */
function lacksOnlySlots(outcomes: readonly LimitOutcome[]): boolean {
  const denying = outcomes.filter(({ state }) => state.violated);
  return denying.length > 0 && denying.every(({ limit }) => isSlotLimit(limit));
}

/** Describes the limit, the amount left, and the amount that the operation needs. */
function explain({ limit, state }: LimitOutcome, requested: number): string {
  const { part } = state;
  const here = part === undefined ? '' : `, of which ${state.limit} in the region ${part.region}`;
  const what = `${describeLimit(limit, part?.wholeLimit ?? state.limit)}${here}`;
  if (state.remaining > 0) return `${what}: ${state.remaining} left, ${requested} needed`;
  return `${what}: all ${isSlotLimit(limit) ? 'in use' : 'used'}`;
}

function whenOf(denier: LimitOutcome | undefined, retryAfterMs: number | undefined): string {
  if (retryAfterMs === undefined) return '';
  const wait = waitText(retryAfterMs);
  // The wait is an estimate: a slot may become free earlier.
  if (denier && isSlotLimit(denier.limit)) return `; retry when other operations end, or in ${wait}`;
  return `; retry in ${wait}`;
}

function howToShrink(suggestion: SizeSuggestion | undefined, conjunction: string): string {
  if (!suggestion) return '';
  const { argument, variable, largest } = suggestion;
  return `${conjunction} lower ${variable === undefined ? argument : `$${variable}, which sets ${argument},`} to ${largest}`;
}

function isoTimeAt(timeMs: number): string {
  return new Date(Math.ceil(timeMs)).toISOString();
}

/**
 * Returns the error of an operation that can never be admitted: it needs more than the capacity of
 * a limit, or more than a ceiling of the tier.
 */
export function maxCostError(parts: {
  measure: Measure;
  cost: number;
  /** Capacity of the limit, or the maximum of the tier. */
  limit: number;
  /** Largest cost that the limit would admit now. */
  remaining: number;
  deniedBy: string;
  mostExpensivePaths(): readonly MostExpensivePath[];
  suggestion(): SizeSuggestion | undefined;
  detail: AnswerDetail;
  /** Part of the region, if the limit is split between regions. */
  part?: RegionPart | undefined;
}): GraphQLError {
  if (parts.detail === 'NONE')
    return errorOf('MAX_COST_EXCEEDED', ERRORS.MAX_COST_EXCEEDED.message, { headers: new Map() });
  const { measure, cost, limit, remaining, deniedBy, part } = parts;
  const here = part === undefined ? '' : ` in the region ${part.region}, and ${part.wholeLimit} in all regions`;
  const smaller = parts.suggestion();
  return errorOf(
    'MAX_COST_EXCEEDED',
    `${ERRORS.MAX_COST_EXCEEDED.message}: it ${NEEDS[measure]} ${countOf(cost, measure)}, and "${deniedBy}" allows at most ${limit}${here}${howToShrink(smaller, ';')}`,
    {
      extensions: {
        cost,
        limit,
        remaining,
        ...inRegion(parts),
        maxAffordableCost: remaining,
        unit: UNITS[measure],
        deniedBy,
        mostExpensivePaths: parts.mostExpensivePaths(),
        ...(smaller && { suggestion: smaller }),
      },
      headers: new Map(),
    },
  );
}

/**
 * Returns the error of an operation to which a rule or a tier applies that a newer version of
 * Tollgate has stored.
 */
export function unknownRuleError(deniedBy: string, unknown: readonly string[], detail: AnswerDetail): GraphQLError {
  const { message } = ERRORS.UNAVAILABLE;
  if (detail === 'NONE') return errorOf('UNAVAILABLE', message, { headers: new Map() });
  const why = `"${deniedBy}" uses ${unknown.join(', ')}, which this version of Tollgate does not know`;
  return errorOf('UNAVAILABLE', `${message}: ${why}`, { extensions: { deniedBy }, headers: new Map() });
}

/**
 * Returns the error of an operation whose type has no root type in the schema, such as a
 * subscription in a schema without subscriptions.
 */
export function noRootTypeError(operation: string): GraphQLError {
  return errorOf('BAD_REQUEST', `${ERRORS.BAD_REQUEST.message}: the schema of this API has no ${operation} type`, {
    headers: new Map(),
  });
}

/** Message that rejects a subscription over HTTP whose client accepts only one response. */
export const NO_SUBSCRIPTIONS =
  'subscriptions are not served over HTTP as one response: send "accept: text/event-stream" or use a WebSocket, if this API serves them';

/**
 * Returns the error of a subscription sent to a server that would execute it as a query and return
 * null.
 */
export function noSubscriptionsError(): GraphQLError {
  return errorOf('BAD_REQUEST', `${ERRORS.BAD_REQUEST.message}: ${NO_SUBSCRIPTIONS}`, { headers: new Map() });
}

/**
 * Returns the error of a document that has no operation of the requested name, or several
 * operations and no requested name. The message is the same as in Apollo Server.
 */
export function noSuchOperation(name: string | null): GraphQLError {
  const message =
    name === null
      ? 'Must provide operation name if query contains multiple operations.'
      : `Unknown operation named "${name}".`;
  return new GraphQLError(message, { extensions: { code: 'OPERATION_RESOLUTION_FAILURE', http: { status: 400 } } });
}

/** Returns the error of an operation with a field that the API key may not select. */
export function fieldNotAllowedError(coordinate: string): GraphQLError {
  const message = `${ERRORS.FIELD_NOT_ALLOWED.message}: ${coordinate} is not among the fields of the key`;
  return errorOf('FIELD_NOT_ALLOWED', message, { extensions: { coordinate }, headers: new Map() });
}

/** Returns the error of an operation whose client disconnected before execution began. */
export function clientGoneError(): GraphQLError {
  return new GraphQLError('The client closed the connection');
}
