import { createDocumentCheck } from '../documents/document-check.js';
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
  protectionOf: () => Omit<Parameters<typeof protectExecution<Context, object>>[0], 'documents'> & {
    documentLimits: Parameters<typeof createDocumentCheck>[0];
  },
): Execution {
  let isUsed = false;
  return {
    isUsed: () => isUsed,
    execution<Options extends object>(options?: Options) {
      isUsed = true;
      const { documentLimits, ...protection } = protectionOf();
      return protectExecution({ ...protection, documents: createDocumentCheck(documentLimits) }, options);
    },
  };
}
