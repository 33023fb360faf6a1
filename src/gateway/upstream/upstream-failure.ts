import type { GraphQLError } from 'graphql';
import { ERRORS, errorOf, requestError } from '../../model/errors.js';
import { retryAfterSeconds } from '../../protection/answer/quota-headers.js';

export type UpstreamCode = Extract<keyof typeof ERRORS, `UPSTREAM_${string}` | 'HEADERS_TOO_LARGE'>;

interface UpstreamFailureDetails {
  /** Whether the operation may have been executed: what it was charged then stays. */
  hasRun: boolean;
  retryAfterMs?: number;
  /** The status of an answer that is no GraphQL. */
  status?: number;
  /** What was wrong with such an answer: for those who run the gateway, not for callers. */
  why?: string;
  cause?: unknown;
}

/** It was reached, and may have run what it was asked. */
const BROKEN_OFF = 'The API has ended the connection before its answer was whole';

/** The upstream has not answered, or nothing that can be passed on. Its caller is told which of these, and nothing about where it is. */
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

  /** For a request that was not looked at. */
  toRequestError(): GraphQLError {
    return requestError(this.code, 'come again later', Object.fromEntries(this.#headers()));
  }

  #headers(): Map<string, string> {
    const { retryAfterMs } = this.details;
    return new Map(retryAfterMs === undefined ? [] : [['retry-after', retryAfterSeconds(retryAfterMs)]]);
  }
}
