import type { ErrorRequestHandler, RequestHandler } from 'express';

/** Handlers that have not ended: they outlive a connection that is cut, and still settle and record what was asked for. */
export interface RunningRequests {
  count(handler: RequestHandler): RequestHandler;
  countErrors(handler: ErrorRequestHandler): ErrorRequestHandler;
  /** Resolves when none is left, or after `timeoutMs`. */
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
      // One look too many: what has just failed is handed on to be answered.
      do await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
      while (running > 0 && performance.now() < giveUpAtMs);
    },
  };
}
