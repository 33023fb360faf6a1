import type { GraphQLError } from 'graphql';
import { ERRORS, errorOf, requestError } from '../../model/errors.js';
import { retryAfterSeconds } from '../../protection/answer/quota-headers.js';

export type UpstreamCode = Extract<keyof typeof ERRORS, `UPSTREAM_${string}` | 'HEADERS_TOO_LARGE'>;

interface UpstreamFailureDetails {
  /** Whether the operation may have been executed. If so, it is not refunded. */
  hasRun: boolean;
  retryAfterMs?: number;
  /** Status of a response that is not GraphQL. */
  status?: number;
  /**
   * Reason why such a response is not valid. Only the operator of the gateway sees it, not callers.
   */
  why?: string;
  cause?: unknown;
}

/** Message if the upstream received the request and may have run the operation. */
const BROKEN_OFF = 'The API closed the connection before its answer was complete';

/**
 * A failure of the upstream: it sent no response, or its response cannot be passed on. The caller
 * receives the kind of failure, but not the address of the upstream.
 */
export class UpstreamFailure extends Error {
  constructor(
    readonly code: UpstreamCode,
    readonly details: UpstreamFailureDetails,
  ) {
    super(code === 'UPSTREAM_UNAVAILABLE' && details.hasRun ? BROKEN_OFF : ERRORS[code].message, {
      cause: details.cause,
    });
    this.name = 'UpstreamFailure';
  }

  toGraphqlError(): GraphQLError {
    const { status } = this.details;
    return errorOf(this.code, this.message, {
      headers: this.#headers(),
      ...(status !== undefined && { extensions: { upstreamStatus: status } }),
    });
  }

  /** Returns the error for a request that was not processed. */
  toRequestError(): GraphQLError {
    return requestError(this.code, 'try again later', Object.fromEntries(this.#headers()));
  }

  #headers(): Map<string, string> {
    const { retryAfterMs } = this.details;
    return new Map(retryAfterMs === undefined ? [] : [['retry-after', retryAfterSeconds(retryAfterMs)]]);
  }
}
