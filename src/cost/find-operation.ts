import type { DocumentNode, OperationDefinitionNode } from 'graphql';
import { CostError } from './cost-error.js';

/** The operation that would run. @throws CostError BAD_USER_INPUT when there is none, or no single one */
export function findOperation(
  document: DocumentNode,
  operationName: string | null | undefined,
): OperationDefinitionNode {
  const operations = document.definitions.filter((definition) => definition.kind === 'OperationDefinition');
  if (operationName === undefined || operationName === null) {
    const [only] = operations;
    if (only === undefined) throw new CostError('BAD_USER_INPUT', 'the document has no operation');
    if (operations.length === 1) return only;
    const names = operations.map((operation) => operation.name?.value ?? '(anonymous)').slice(0, 10);
    throw new CostError('BAD_USER_INPUT', `name one of the operations of the document: ${names.join(', ')}`);
  }
  const named = operations.find((operation) => operation.name?.value === operationName);
  if (named) return named;
  throw new CostError('BAD_USER_INPUT', `the document has no operation named ${JSON.stringify(operationName)}`);
}
