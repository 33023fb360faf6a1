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

/** Options of a server of graphql-ws or graphql-sse, as far as they say how documents are read. */
interface ReadingOptions {
  schema?: unknown;
  context?: unknown;
  parse?: (text: string) => DocumentNode;
  validate?: (schema: GraphQLSchema, document: DocumentNode, ...rest: unknown[]) => readonly GraphQLError[];
  onSubscribe?: (...request: unknown[]) => unknown;
}

/** What their clients send. */
interface Payload {
  query: string;
  operationName?: string | null;
  variables?: Record<string, unknown> | null;
}

type Args = Omit<ExecutionArgs, 'schema'>;

interface ReadAsGiven {
  /** What stands in the place of the document says why. */
  isRefused: boolean;
  document: DocumentNode;
}

export interface ReadWhenAskedOptions {
  /** That prices are of. */
  schema: GraphQLSchema;
  documents: DocumentCheck;
  knownDocument(text: string): Promise<DocumentNode | undefined>;
  /** For what the server refuses with this context, without asking again. Never rejects. */
  chargeFee(contextValue: unknown): Promise<unknown>;
}

/** How a document came to be what is executed, where its server has not read it by itself. */
type Reading =
  /** It is to be charged by this text, and has not been validated. */
  | { text: string; isParsed: boolean }
  /** A `parse` or `validate` of the server's own has let it in. */
  | { isRead: true }
  /** One of them has refused it, for which the fee is due. */
  | { refusal: readonly GraphQLError[] };

const readings = createObjectNotes<DocumentNode, Reading>();

/** Undefined for a document that its server has read by itself. */
export const readingOf = (document: DocumentNode): Reading | undefined => readings.get(document);

interface ReadingHooks {
  onSubscribe(...request: unknown[]): Promise<unknown>;
  validate(schema: GraphQLSchema, document: DocumentNode, ...rest: unknown[]): readonly GraphQLError[];
}

/**
 * The hooks `onSubscribe`, which a server of graphql-ws or graphql-sse calls before it parses and validates a document, and `validate`, which
 * the latter calls after that. The server would read documents without a bound, without a fee, and anew each time; and which caller asks is
 * known only when it executes, with the context that it makes then. So nothing is validated here: when the document is executed, it is measured,
 * parsed, validated and charged by its text. A hook in the options is called first; what their `parse` or `validate` refuses is refused when it
 * would be executed, for the fee.
 */
export function readWhenAsked(
  options: object,
  { schema, documents, knownDocument, chargeFee }: ReadWhenAskedOptions,
): ReadingHooks {
  const given: ReadingOptions = options;

  /** Servers look into it for the kind of operation. */
  async function documentOf({ query, operationName }: Payload): Promise<DocumentNode> {
    const known = await knownDocument(query);
    if (known && hasOperation(known, operationName)) return noted(known, { text: query, isParsed: true });
    if (!known && documents.ofText(query) === undefined) {
      try {
        const document = parse(query);
        if (hasOperation(document, operationName)) return noted(document, { text: query, isParsed: true });
      } catch {
        // It is refused for that where it is charged.
      }
    }
    return noted(standIn(operationName), { text: query, isParsed: false });
  }

  /** By the functions of the server, within the bounds that hold for all. */
  function parseAsGiven({ query, operationName }: Payload): ReadAsGiven {
    if (documents.ofText(query) !== undefined) {
      return { isRefused: true, document: noted(standIn(operationName), { text: query, isParsed: false }) };
    }
    try {
      return { isRefused: false, document: (given.parse ?? parse)(query) };
    } catch (error) {
      const refusal = error instanceof GraphQLError ? error : new GraphQLError('The document cannot be parsed.');
      return { isRefused: true, document: noted(standIn(operationName), { refusal: [refusal] }) };
    }
  }

  function validateAsGiven(document: DocumentNode, { operationName }: Payload, served: GraphQLSchema): DocumentNode {
    const dangerous = documents.ofParsed(served, document);
    const errors = dangerous ? [dangerous] : (given.validate ?? validate)(served, document);
    if (errors.length > 0) return noted(standIn(operationName), { refusal: errors });
    if (hasOperation(document, operationName)) return noted(document, { isRead: true });
    return noted(standIn(operationName), { refusal: [new GraphQLError('Unable to identify operation')] });
  }

  return {
    async onSubscribe(...request) {
      const own = await given.onSubscribe?.(...request);
      const payload = payloadOf(request);
      if (own || typeof payload?.query !== 'string') return own;
      const { operationName, variables: variableValues } = payload;
      const isReadAsGiven = given.parse !== undefined || given.validate !== undefined;
      const read = isReadAsGiven ? parseAsGiven(payload) : { isRefused: false, document: await documentOf(payload) };
      const args: Args = { document: read.document, operationName, variableValues };
      if (isOfSse(request)) {
        // It makes no context for what it is answered; and its `schema` may choose by the context, as it has one by then.
        args.contextValue = typeof given.context === 'function' ? await given.context(...request) : given.context;
      }
      const used = typeof given.schema === 'function' ? await given.schema(...request, args) : given.schema;
      const served: GraphQLSchema = used ?? schema;
      if (isReadAsGiven && !read.isRefused) args.document = validateAsGiven(read.document, payload, served);
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

/** The third of what graphql-ws 6 tells a hook; of graphql-ws 5 a member of the second, and of graphql-sse the second itself. */
function payloadOf(request: readonly unknown[]): Payload | undefined {
  const [, message, payload] = request;
  return (payload ?? (isOfSse(request) ? message : (message as { payload?: unknown }).payload)) as Payload | undefined;
}

function isOfSse([, message, payload]: readonly unknown[]): boolean {
  return payload === undefined && typeof (message as { query?: unknown }).query === 'string';
}

/** Which graphql-sse refuses before it executes. */
function isMutationByGet([request]: readonly unknown[], { document, operationName }: Args): boolean {
  if ((request as { method?: unknown } | undefined)?.method !== 'GET') return false;
  return getOperationAST(document, operationName)?.operation === OperationTypeNode.MUTATION;
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
