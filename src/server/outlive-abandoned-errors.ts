import type { Logger } from 'pino';

/**
 * Keeps the process alive after errors of executions that are no longer awaited. graphql-js 16
 * abandons a list as soon as one item fails synchronously. A later failure of an earlier item is
 * then an unhandled rejection, which makes Node end the process. Any caller could cause this. The
 * error is safe to ignore, because the response already contains the first error. Every other
 * rejection still ends the process.
 */
export function outliveAbandonedErrors(log: Logger): void {
  process.on('unhandledRejection', (reason) => {
    if (!isOfExecution(reason)) throw reason;
    log.debug({ path: reason.path.join('.') }, 'An execution failed after its response was sent');
  });
}

/**
 * Returns whether an error comes from an execution. graphql-js sets a `path` on every such error;
 * on other errors, `path` is not an array.
 */
function isOfExecution(reason: unknown): reason is Error & { path: readonly unknown[] } {
  return reason instanceof Error && Array.isArray((reason as { path?: unknown }).path);
}
