import type { ErrorRequestHandler, RequestHandler } from 'express';

/**
 * Handlers that have not ended. A handler continues after its connection is closed, to settle and
 * record the request.
 */
export interface RunningRequests {
  count(handler: RequestHandler): RequestHandler;
  countErrors(handler: ErrorRequestHandler): ErrorRequestHandler;
  /** Resolves when all handlers have ended, or after `timeoutMs`. */
  ended(timeoutMs: number): Promise<void>;
}

const LOOK_EVERY_MS = 10;

export function createRunningRequests(): RunningRequests {
  let running = 0;

  async function until(ended: unknown): Promise<void> {
    running++;
    try {
      await ended;
    } finally {
      running--;
    }
  }

  return {
    count: (handler) => (request, response, next) => until(handler(request, response, next)),
    countErrors: (handler) => (error, request, response, next) => until(handler(error, request, response, next)),
    async ended(timeoutMs) {
      const giveUpAtMs = performance.now() + timeoutMs;
      // Wait once before the first check: a request that has just failed must first reach the error
      // handler.
      do await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
      while (running > 0 && performance.now() < giveUpAtMs);
    },
  };
}
