import type { GraphQLError } from 'graphql';
import type { MostExpensivePath } from '../../cost/explain/most-expensive-paths.js';
import { ERRORS, errorOf } from '../../errors.js';
import type { Decision } from '../../limiter/decision.js';
import type { Measure } from '../../model/rule.js';
import type { LimitOutcome } from './cost-extension.js';
import { retryAfterSeconds } from './quota-headers.js';

type Denied = Extract<Decision, { admitted: false }>;

export interface DenialParts {
  decision: Denied;
  outcomes: readonly LimitOutcome[];
  /** What the denying limit was to be charged. */
  costOf(limitId: string): number;
  mostExpensivePaths(): readonly MostExpensivePath[];
  /** The status of a THROTTLED answer. */
  denialStatus: 429 | 200;
}

/** What a limit counts, in the words of its denial. A tier's bucket has no rule, and holds tokens. */
const UNITS = { COST: 'TOKENS', CALLS: 'CALLS', REQUESTS: 'REQUESTS' } as const satisfies Record<Measure, string>;

/** The error of a decision that did not admit: the numbers, who denied, and when it would pass. */
export function denialError({
  decision,
  outcomes,
  costOf,
  mostExpensivePaths,
  denialStatus,
}: DenialParts): GraphQLError {
  const denier = outcomes.find(({ state }) => state.id === decision.deniedBy);
  const name = denier?.limit.ruleName ?? decision.deniedBy;
  const requestedCost = costOf(decision.deniedBy);
  if (decision.code === 'COST_EXCEEDS_CAPACITY') {
    return maxCostError({ requestedCost, maximumCost: denier?.state.limit ?? 0, deniedBy: name, mostExpensivePaths });
  }
  const retryAfterMs = decision.retryAfterMs;
  const headers = new Map<string, string>();
  if (retryAfterMs !== undefined) headers.set('retry-after', retryAfterSeconds(retryAfterMs));
  if (decision.code === 'UNAVAILABLE') {
    const message = `${ERRORS.UNAVAILABLE.message}: "${name}" cannot be checked right now`;
    return errorOf('UNAVAILABLE', message, { extensions: { deniedBy: name }, headers });
  }
  const available = denier?.state.remaining ?? 0;
  const response = denier?.limit.rule?.response;
  const unit = UNITS[denier?.limit.measure ?? 'COST'];
  const when = retryAfterMs === undefined ? '' : `; retry in ${retryAfterMs} ms`;
  const message =
    response?.message ??
    `${ERRORS.THROTTLED.message}: "${name}" has ${available} of ${denier?.state.limit ?? 0} ${unit.toLowerCase()} left, and this operation needs ${requestedCost}${when}`;
  return errorOf('THROTTLED', message, {
    extensions: {
      ...(response?.code !== undefined && { code: response.code }),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      deniedBy: name,
      requested: requestedCost,
      unit,
      // The name that clients knew first, though calls are no cost: deprecated.
      requestedCost,
      available,
      maxAdmissibleCost: decision.maxAdmissibleCost,
    },
    status: response?.status ?? denialStatus,
    headers,
  });
}

/** The error of an operation that can never pass: above what its limit can hold, or above the tier's ceiling. */
export function maxCostError(parts: {
  requestedCost: number;
  maximumCost: number;
  deniedBy: string;
  mostExpensivePaths(): readonly MostExpensivePath[];
}): GraphQLError {
  const { requestedCost, maximumCost, deniedBy } = parts;
  const mostExpensivePaths = parts.mostExpensivePaths();
  return errorOf(
    'MAX_COST_EXCEEDED',
    `${ERRORS.MAX_COST_EXCEEDED.message}: it costs ${requestedCost}, and "${deniedBy}" allows at most ${maximumCost}`,
    {
      // `dearestPaths` is the name that clients knew first: deprecated.
      extensions: { requestedCost, maximumCost, deniedBy, mostExpensivePaths, dearestPaths: mostExpensivePaths },
      headers: new Map(),
    },
  );
}

/** The error of an operation of a kind that the schema has nothing of, such as a subscription where there is none. */
export function noRootTypeError(operation: string): GraphQLError {
  return errorOf('BAD_REQUEST', `${ERRORS.BAD_REQUEST.message}: this API has no ${operation} to offer`, {
    headers: new Map(),
  });
}
