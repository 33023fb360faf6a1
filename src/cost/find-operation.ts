import type { DocumentNode, OperationDefinitionNode } from 'graphql';
import { CostError } from './values/cost-error.js';

const HEADLINE = 'No operation to price';

/**
 * Returns the operation that a server would execute.
 * @throws CostError BAD_USER_INPUT if there is no such operation, or several and `operationName` is
 * absent
 */
export function findOperation(
  document: DocumentNode,
  operationName: string | null | undefined,
): OperationDefinitionNode {
  const operations = document.definitions.filter((definition) => definition.kind === 'OperationDefinition');
  if (operationName === undefined || operationName === null) {
    const [only] = operations;
    if (only === undefined)
      throw new CostError('BAD_USER_INPUT', 'the document has no operation', { headline: HEADLINE });
    if (operations.length === 1) return only;
    const names = operations.map((operation) => operation.name?.value ?? '(anonymous)').slice(0, 10);
    throw new CostError('BAD_USER_INPUT', `the document has several operations: name one of ${names.join(', ')}`, {
      headline: HEADLINE,
    });
  }
  const named = operations.find((operation) => operation.name?.value === operationName);
  if (named) return named;
  throw new CostError('BAD_USER_INPUT', `the document has no operation named ${JSON.stringify(operationName)}`, {
    headline: HEADLINE,
  });
}
