import { type DocumentNode, type ExecutionArgs, type GraphQLSchema, Kind, OperationTypeNode, parse } from 'graphql';
import type { DocumentCheck } from '../documents/check-document.js';
import { createObjectNotes } from '../model/attach-to-object.js';

/** Options of a server of graphql-ws, as far as they say how documents are read. */
interface ReadingOptions {
  schema?: unknown;
  parse?: unknown;
  validate?: unknown;
  onSubscribe?: (...request: unknown[]) => unknown;
}

/** What their clients send. */
interface Payload {
  query: string;
  operationName?: string | null;
  variables?: Record<string, unknown> | null;
}

export interface ReadWhenAskedOptions {
  /** That prices are of. */
  schema: GraphQLSchema;
  documents: DocumentCheck;
  knownDocument(text: string): Promise<DocumentNode | undefined>;
}

/** The texts of documents that have not been validated. */
const unread = createObjectNotes<DocumentNode, string>();

/** The text to charge a document by; undefined for one that its server has read by itself. */
export const textToRead = (document: DocumentNode): string | undefined => unread.get(document);

/**
 * The hook `onSubscribe`, which a server of graphql-ws calls before it parses and validates a document. The server would do that without a
 * bound, without a fee, and anew each time; and which caller asks is known only when it executes, with the context that it makes then. So nothing
 * is validated here: when the document is executed, it is measured, parsed, validated and charged by its text. A hook in the options is called first.
 *
 * @returns undefined where the options have `parse` or `validate`, which are kept
 */
export function readWhenAsked(
  options: object,
  { schema, documents, knownDocument }: ReadWhenAskedOptions,
): ((...request: unknown[]) => Promise<unknown>) | undefined {
  const given: ReadingOptions = options;
  if (given.parse !== undefined || given.validate !== undefined) return undefined;

  /** Servers look into it for the kind of operation. */
  async function documentOf({ query, operationName }: Payload): Promise<DocumentNode> {
    const known = await knownDocument(query);
    if (known) return hasOperation(known, operationName) ? known : standIn(operationName);
    if (documents.ofText(query) === undefined) {
      try {
        const document = parse(query);
        if (hasOperation(document, operationName)) return document;
      } catch {
        // It is refused for that where it is charged.
      }
    }
    return standIn(operationName);
  }

  return async (...request) => {
    const own = await given.onSubscribe?.(...request);
    const payload = payloadOf(request);
    if (own || payload === undefined) return own;
    const document = await documentOf(payload);
    unread.set(document, payload.query);
    const { operationName, variables: variableValues } = payload;
    const args: Omit<ExecutionArgs, 'schema'> = { document, operationName, variableValues };
    const used = typeof given.schema === 'function' ? await given.schema(...request, args) : given.schema;
    return { ...args, schema: used ?? schema };
  };
}

/**
 * The third of what graphql-ws 6 tells a hook, and of graphql-ws 5 a member of the second. Undefined for a server of graphql-sse, which has it there
 * by itself: it makes no context for what it is answered.
 */
function payloadOf([, message, payload]: readonly unknown[]): Payload | undefined {
  return (payload ?? (message as { payload?: unknown }).payload) as Payload | undefined;
}

function hasOperation(document: DocumentNode, operationName: string | null | undefined): boolean {
  const operations = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  if (operationName === undefined || operationName === null) return operations.length === 1;
  return operations.some((operation) => 'name' in operation && operation.name?.value === operationName);
}

/** In place of what cannot be executed: a query, so that it comes to be charged. */
function standIn(operationName: string | null | undefined): DocumentNode {
  return {
    kind: Kind.DOCUMENT,
    definitions: [
      {
        kind: Kind.OPERATION_DEFINITION,
        operation: OperationTypeNode.QUERY,
        ...(typeof operationName === 'string' && { name: { kind: Kind.NAME, value: operationName } }),
        selectionSet: { kind: Kind.SELECTION_SET, selections: [] },
      },
    ],
  };
}
