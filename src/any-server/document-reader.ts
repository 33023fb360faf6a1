import { type DocumentNode, GraphQLError, type GraphQLSchema, parse, validate } from 'graphql';
import { createDocumentHashes } from '../documents/create-document-hashes.js';
import type { DocumentCheck } from '../documents/document-check.js';
import { createDocumentStore } from '../documents/document-store.js';
import { ERRORS, errorOf } from '../model/errors.js';

/** A document that was parsed and validated, under the name by which its plan is kept. */
export interface KeptDocument {
  document: DocumentNode;
  hash: string | undefined;
}

interface ReadRequest {
  query?: unknown;
  document?: DocumentNode | undefined;
  /** What `query` was parsed to, after it was measured. */
  parsed?: DocumentNode | undefined;
  /** Why a text that is not known yet is not worth validating. */
  foresee(document: DocumentNode, hash: string): Promise<GraphQLError | undefined>;
}

export interface DocumentReader {
  /** Measures, parses and validates a text, unless it is known already. A document is taken as it is. */
  read(request: ReadRequest): Promise<KeptDocument | { errors: readonly GraphQLError[] }>;
  /** What a text was read as before; undefined where it is not kept. */
  known(source: string): Promise<DocumentNode | undefined>;
  forget(document: DocumentNode): void;
}

interface DocumentReaderOptions {
  schema: GraphQLSchema;
  check: DocumentCheck;
  /** Bytes of documents that are kept. */
  maxBytes: number | undefined;
}

/** Each of them may be told what was meant, which graphql-js looks for among all names there are. */
const MAX_ERRORS = 20;

/** Reads documents for servers that do not parse them by themselves. */
export function createDocumentReader({ schema, check, maxBytes }: DocumentReaderOptions): DocumentReader {
  const store = createDocumentStore({ maxBytes });
  const hashes = createDocumentHashes();

  async function readText(
    source: string,
    { foresee, parsed }: ReadRequest,
  ): Promise<KeptDocument | { errors: readonly GraphQLError[] }> {
    const hash = hashes.of(source);
    const known = await store.get(hash);
    if (known) {
      // Not the first time: what is sent once must not push out what is sent often.
      hashes.remember(source, hash);
      return { document: known, hash };
    }
    const document = parsed ?? parseText(source);
    if (document instanceof GraphQLError) return { errors: [document] };
    const refusal = check.ofParsed(schema, document) ?? (await foresee(document, hash));
    if (refusal) return { errors: [refusal] };
    const errors = validate(schema, document, undefined, { maxErrors: MAX_ERRORS });
    if (errors.length > 0) return { errors: errors.map((error) => withCode(error, 'GRAPHQL_VALIDATION_FAILED')) };
    await store.set(hash, document);
    return { document, hash };
  }

  function parseText(source: string): DocumentNode | GraphQLError {
    const tooLarge = check.ofText(source);
    if (tooLarge) return tooLarge;
    try {
      return parse(source);
    } catch (error) {
      return withCode(error as GraphQLError, 'GRAPHQL_PARSE_FAILED');
    }
  }

  return {
    async read(request) {
      const { query, document } = request;
      if (document) return { document, hash: undefined };
      if (typeof query === 'string' && query !== '') return readText(query, request);
      return {
        errors: [errorOf('BAD_REQUEST', `${ERRORS.BAD_REQUEST.message}: query: expected the text of a document`)],
      };
    },
    known: (source) => store.get(hashes.of(source)),
    forget: store.forget,
  };
}

function withCode({ message, nodes, source, positions }: GraphQLError, code: string): GraphQLError {
  const where = { nodes: nodes ?? null, source: source ?? null, positions: positions ?? null };
  return new GraphQLError(message, { ...where, extensions: { code, http: { status: 400 } } });
}
