import { createDocumentCheck } from '../documents/document-check.js';
import { type ProtectedExecution, protectExecution, type Transport } from './protect-execution.js';

interface Execution<Context extends object> {
  execution(): ProtectedExecution;
  execution<Options extends object>(
    options: Options | undefined,
    transport?: Transport<Context>,
  ): Options & ProtectedExecution;
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
): Execution<Context> {
  let isUsed = false;
  return {
    isUsed: () => isUsed,
    execution<Options extends object>(options?: Options, transport?: Transport<Context>) {
      isUsed = true;
      const { documentLimits, ...protection } = protectionOf();
      const documents = createDocumentCheck(documentLimits);
      return protectExecution({ ...protection, documents, transport }, options);
    },
  };
}
