import { type ProtectedExecution, protectExecution } from './protect-execution.js';

interface Execution {
  execution(): ProtectedExecution;
  execution<Options extends object>(options: Options | undefined): Options & ProtectedExecution;
  /** Whether the operations of a server without HTTP requests per operation are protected. */
  isUsed(): boolean;
}

/**
 * Creates the function `execution` of a Tollgate.
 * @param protectionOf returns the protection. Called for each server.
 */
export function createExecution<Context extends object>(
  protectionOf: () => Parameters<typeof protectExecution<Context, object>>[0],
): Execution {
  let isUsed = false;
  return {
    isUsed: () => isUsed,
    execution<Options extends object>(options?: Options) {
      isUsed = true;
      return protectExecution(protectionOf(), options);
    },
  };
}
