import type { GraphQLError } from 'graphql';
import { ERRORS, errorOf } from '../errors.js';

export type UpstreamCode = Extract<keyof typeof ERRORS, `UPSTREAM_${string}`>;

export interface UpstreamFailureDetails {
  /** Whether the operation may have been executed: what it was charged then stays. */
  hasRun: boolean;
  retryAfterMs?: number;
  /** The status of an answer that is no GraphQL. */
  status?: number;
  cause?: unknown;
}

/** The upstream has not answered, or nothing that can be passed on. Its caller is told which of these, and nothing about where it is. */
export class UpstreamFailure extends Error {
  constructor(
    readonly code: UpstreamCode,
    readonly details: UpstreamFailureDetails,
  ) {
    super(ERRORS[code].message, { cause: details.cause });
    this.name = 'UpstreamFailure';
  }

  toGraphqlError(): GraphQLError {
    const { retryAfterMs, status } = this.details;
    const headers =
      retryAfterMs === undefined
        ? undefined
        : new Map([['retry-after', String(Math.max(1, Math.ceil(retryAfterMs / 1000)))]]);
    return errorOf(this.code, this.message, {
      headers,
      ...(status !== undefined && { extensions: { upstreamStatus: status } }),
    });
  }
}
