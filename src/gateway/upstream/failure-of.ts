import { errors } from 'undici';
import { UpstreamFailure } from './upstream-failure.js';

/** Converts an error of a request to the failure of the upstream that the caller receives. */
export function failureOf(error: unknown, signal: AbortSignal): UpstreamFailure {
  if (error instanceof UpstreamFailure) return error;
  const hasRun = !wasNeverReceived(error);
  if (signal.aborted && signal.reason instanceof UpstreamFailure) return signal.reason;
  const code = codeOf(error);
  if (code !== undefined && /TIMEOUT|ETIMEDOUT/.test(code)) {
    return new UpstreamFailure('UPSTREAM_TIMEOUT', {
      hasRun: hasRun && code !== 'UND_ERR_CONNECT_TIMEOUT',
      cause: error,
    });
  }
  if (error instanceof errors.HTTPParserError || /HEADERS_OVERFLOW|MISMATCH/.test(code ?? '')) {
    return new UpstreamFailure('UPSTREAM_INVALID_ANSWER', { hasRun: true, cause: error });
  }
  return new UpstreamFailure('UPSTREAM_UNAVAILABLE', { hasRun, cause: error });
}

/**
 * Returns whether an error concerns only this request: it was aborted, or its response took too
 * long. Such an error does not indicate that the upstream is unavailable.
 */
export function isOwnEnd(error: unknown): boolean {
  return error instanceof UpstreamFailure || /ABORT|TIMEOUT/.test(codeOf(error) ?? (error as Error).name.toUpperCase());
}

const NEVER_RECEIVED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** Returns whether no connection was accepted, so that no server has received the request. */
export function wasNeverReceived(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(wasNeverReceived);
  // A network can also become unreachable while a response is awaited: then the operation may have
  // run.
  const { syscall } = error as { syscall?: unknown };
  return NEVER_RECEIVED.has(codeOf(error) ?? '') && (syscall === 'connect' || syscall === 'getaddrinfo');
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
