import type { Logger } from 'pino';

/**
 * Lets the process outlive errors of executions that are no longer awaited. graphql-js 16 gives up a list as soon as one item
 * fails at once; what an earlier item fails with later is an unhandled rejection, and Node ends the process for it:
 * any caller could bring that about. The answer has named an error by then. Every other rejection ends the process as before.
 */
export function outliveAbandonedErrors(log: Logger): void {
  process.on('unhandledRejection', (reason) => {
    if (!isOfExecution(reason)) throw reason;
    log.debug({ path: reason.path.join('.') }, 'An error of an execution that had been answered');
  });
}

/** graphql-js locates every error by its path; nothing else does so by a list. */
function isOfExecution(reason: unknown): reason is Error & { path: readonly unknown[] } {
  return reason instanceof Error && Array.isArray((reason as { path?: unknown }).path);
}
