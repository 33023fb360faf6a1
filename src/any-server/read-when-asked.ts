import {
  type DocumentNode,
  type ExecutionArgs,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  OperationTypeNode,
  parse,
  validate,
} from 'graphql';
import type { DocumentCheck } from '../documents/document-check.js';
import { createObjectNotes } from '../runtime/create-object-notes.js';

/** Options of a graphql-ws or graphql-sse server that affect how documents are read. */
interface ReadingOptions {
  schema?: unknown;
  context?: unknown;
  parse?: (text: string) => DocumentNode;
  validate?: (schema: GraphQLSchema, document: DocumentNode, ...rest: unknown[]) => readonly GraphQLError[];
  onSubscribe?: (...request: unknown[]) => unknown;
}

/** Payload that clients send. */
interface Payload {
  query: string;
  operationName?: string | null;
  variables?: Record<string, unknown> | null;
}

type Args = Omit<ExecutionArgs, 'schema'>;

interface ReadAsGiven {
  /**
   * Whether the document was rejected. `document` is then a placeholder, which leads to a rejection
   * at execution.
   */
  isRejected: boolean;
  document: DocumentNode;
}

export interface ReadWhenAskedOptions {
  /** The priced schema. */
  schema: GraphQLSchema;
  documents: DocumentCheck;
  knownDocument(text: string): Promise<DocumentNode | undefined>;
  /**
   * Charges the fee to the caller of this context, for a request that the server rejects before it
   * calls `execute`. The promise never rejects.
   */
  chargeFee(contextValue: unknown): Promise<unknown>;
}

/** Result of reading a document that the hooks below have returned to the server. */
type Reading =
  /**
   * The text is validated and charged at execution. Unless `isParsed`, the document is a
   * placeholder.
   */
  | { text: string; isParsed: boolean }
  /** The server's own `parse` or `validate` has accepted the document. */
  | { isRead: true }
  /** The server's own `parse` or `validate` has rejected the document. The fee is due. */
  | { rejection: readonly GraphQLError[] };

const readings = createObjectNotes<DocumentNode, Reading>();

/**
 * Returns the result of reading a document. Returns undefined if the document is not from the hooks
 * below.
 */
export const readingOf = (document: DocumentNode): Reading | undefined => readings.get(document);

interface ReadingHooks {
  onSubscribe(...request: unknown[]): Promise<unknown>;
  validate(schema: GraphQLSchema, document: DocumentNode, ...rest: unknown[]): readonly GraphQLError[];
}

/**
 * Returns hooks that postpone the validation of documents until they are executed. A graphql-ws or
 * graphql-sse server calls `onSubscribe` before it parses and validates a document. graphql-sse
 * also calls `validate` after `onSubscribe`.
 *
 * Without these hooks, the server would parse and validate every document without a size limit, a
 * fee or a cache. The fee needs the caller, who is known only at execution, from the context that
 * the server creates then. By default, the hooks therefore validate nothing. When the document is
 * executed, Tollgate measures, parses, validates and charges its text.
 *
 * If the options have an `onSubscribe`, it is called first. If they have `parse` or `validate`,
 * these are called in `onSubscribe`. A document that they reject is rejected at execution and
 * charged the fee.
 */
export function readWhenAsked(
  options: object,
  { schema, documents, knownDocument, chargeFee }: ReadWhenAskedOptions,
): ReadingHooks {
  const given: ReadingOptions = options;

  /** Returns a document from which the server reads the type of the operation. */
  async function documentOf({ query, operationName }: Payload): Promise<DocumentNode> {
    const known = await knownDocument(query);
    if (known && hasOperation(known, operationName)) return noted(known, { text: query, isParsed: true });
    if (!known && documents.ofText(query) === undefined) {
      try {
        const document = parse(query);
        if (hasOperation(document, operationName)) return noted(document, { text: query, isParsed: true });
      } catch {
        // The syntax error is found again, and returned to the client, when the text is charged.
      }
    }
    return noted(standIn(operationName), { text: query, isParsed: false });
  }

  /** Parses with the `parse` of the options, unless the text exceeds the document limits. */
  function parseAsGiven({ query, operationName }: Payload): ReadAsGiven {
    if (documents.ofText(query) !== undefined) {
      return { isRejected: true, document: noted(standIn(operationName), { text: query, isParsed: false }) };
    }
    try {
      return { isRejected: false, document: (given.parse ?? parse)(query) };
    } catch (error) {
      const rejection = error instanceof GraphQLError ? error : new GraphQLError('The document cannot be parsed.');
      return { isRejected: true, document: noted(standIn(operationName), { rejection: [rejection] }) };
    }
  }

  function validateAsGiven(document: DocumentNode, { operationName }: Payload, served: GraphQLSchema): DocumentNode {
    const dangerous = documents.ofParsed(served, document);
    const errors = dangerous ? [dangerous] : (given.validate ?? validate)(served, document);
    if (errors.length > 0) return noted(standIn(operationName), { rejection: errors });
    if (hasOperation(document, operationName)) return noted(document, { isRead: true });
    return noted(standIn(operationName), { rejection: [new GraphQLError('Unable to identify operation')] });
  }

  return {
    async onSubscribe(...request) {
      const own = await given.onSubscribe?.(...request);
      const payload = payloadOf(request);
      if (own || typeof payload?.query !== 'string') return own;
      const { operationName, variables: variableValues } = payload;
      const isReadAsGiven = given.parse !== undefined || given.validate !== undefined;
      const read = isReadAsGiven ? parseAsGiven(payload) : { isRejected: false, document: await documentOf(payload) };
      const args: Args = { document: read.document, operationName, variableValues };
      if (isOfSse(request)) {
        // graphql-sse creates no context if `onSubscribe` returns arguments. The context is
        // therefore created here, before the call of `schema`, because that function may depend on
        // it.
        args.contextValue = typeof given.context === 'function' ? await given.context(...request) : given.context;
      }
      const used = typeof given.schema === 'function' ? await given.schema(...request, args) : given.schema;
      const served: GraphQLSchema = used ?? schema;
      if (isReadAsGiven && !read.isRejected) args.document = validateAsGiven(read.document, payload, served);
      if (isOfSse(request) && isMutationByGet(request, args)) void chargeFee(args.contextValue);
      return { ...args, schema: served };
    },
    validate(served, document, ...rest) {
      return readings.get(document) ? [] : (given.validate ?? validate)(served, document, ...(rest as []));
    },
  };
}

function noted(document: DocumentNode, reading: Reading): DocumentNode {
  readings.set(document, reading);
  return document;
}

/**
 * Returns the payload from the arguments of `onSubscribe`. The payload is the third argument in
 * graphql-ws 6, a member of the second argument in graphql-ws 5, and the second argument in
 * graphql-sse.
 */
function payloadOf(request: readonly unknown[]): Payload | undefined {
  const [, message, payload] = request;
  return (payload ?? (isOfSse(request) ? message : (message as { payload?: unknown }).payload)) as Payload | undefined;
}

function isOfSse([, message, payload]: readonly unknown[]): boolean {
  return payload === undefined && typeof (message as { query?: unknown }).query === 'string';
}

/** Returns whether a request is a mutation by GET, which graphql-sse rejects before it executes. */
function isMutationByGet([request]: readonly unknown[], { document, operationName }: Args): boolean {
  if ((request as { method?: unknown } | undefined)?.method !== 'GET') return false;
  return getOperationAST(document, operationName)?.operation === OperationTypeNode.MUTATION;
}

function hasOperation(document: DocumentNode, operationName: string | null | undefined): boolean {
  const operations = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  if (operationName === undefined || operationName === null) return operations.length === 1;
  return operations.some((operation) => 'name' in operation && operation.name?.value === operationName);
}

/**
 * Returns a placeholder for a document that cannot be executed. It is a query, so that the server
 * passes it to `execute`, where the fee is charged.
 */
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
