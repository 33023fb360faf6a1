import { parse } from 'graphql';
import { readVariables } from '../explorer/use-operation.js';

/** An operation of a document. */
export interface NamedOperation {
  name: string | undefined;
  type: 'QUERY' | 'MUTATION' | 'SUBSCRIPTION';
}

/** A request to the admin API. */
export interface OperationToSend {
  query: string;
  variables: Record<string, unknown>;
  /** Name of the operation to run, if the document has several. */
  operationName: string | undefined;
}

/** The text of the editors, as the page reads it. */
export interface ReadOperation {
  operations: NamedOperation[];
  /** Operation that runs. Undefined: the syntax is invalid, and the API describes the error. */
  operation: NamedOperation | undefined;
  /** Undefined: there is no document, or the variables are invalid. */
  toSend: OperationToSend | undefined;
  /** Problem of the variables. */
  problem: string | undefined;
}

/**
 * Reads the text of the editors.
 * @param chosen name of the operation to run, if the document has several. @default the first one
 */
export function readOperation(query: string, variables: string, chosen: string): ReadOperation {
  const operations = operationsIn(query);
  const operation = operations.find(({ name }) => name === chosen) ?? operations[0];
  const given = readVariables(variables);
  if (typeof given === 'string') return { operations, operation, toSend: undefined, problem: given };
  const operationName = operations.length > 1 ? operation?.name : undefined;
  const toSend = query.trim() === '' ? undefined : { query, variables: given, operationName };
  return { operations, operation, toSend, problem: undefined };
}

function operationsIn(text: string): NamedOperation[] {
  try {
    return parse(text).definitions.flatMap((one) =>
      one.kind === 'OperationDefinition'
        ? [{ name: one.name?.value, type: one.operation.toUpperCase() as NamedOperation['type'] }]
        : [],
    );
  } catch {
    return [];
  }
}
