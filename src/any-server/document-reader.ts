import { type DocumentNode, GraphQLError, type GraphQLSchema, parse, validate } from 'graphql';
import { createDocumentHashes } from '../documents/create-document-hashes.js';
import type { DocumentCheck } from '../documents/document-check.js';
import { createDocumentStore } from '../documents/document-store.js';
import type { RegisteredDocument } from '../documents/registered-documents.js';
import { ERRORS, errorOf } from '../model/errors.js';

/** A parsed and validated document, with the hash under which its cost plan is cached. */
export interface KeptDocument {
  document: DocumentNode;
  hash: string | undefined;
}

interface ReadRequest {
  query?: unknown;
  /** Registered document of the request, instead of `query`. */
  registered?: RegisteredDocument | undefined;
  document?: DocumentNode | undefined;
  /**
   * Document parsed from `query`, if the caller of `read` has already checked the size of `query`
   * and parsed it.
   */
  parsed?: DocumentNode | undefined;
  /**
   * Returns an error if a new document would be rejected or denied even if it were valid. The
   * document is then not validated.
   */
  foresee(document: DocumentNode, hash: string): Promise<GraphQLError | undefined>;
}

export interface DocumentReader {
  /**
   * Checks the document limits of a text, parses it and validates it, unless its document is in the
   * cache. If the request has a `document`, returns this document without any check. The document
   * limits do not apply to registered documents.
   */
  read(request: ReadRequest): Promise<KeptDocument | { errors: readonly GraphQLError[] }>;
  /**
   * Caches a registered document before its first request. Resolves to undefined if it is invalid on
   * the schema.
   */
  warm(registered: Pick<RegisteredDocument, 'text' | 'hash'>): Promise<DocumentNode | undefined>;
  /** Resolves to the cached document of a text; undefined if it is not in the cache. */
  known(source: string): Promise<DocumentNode | undefined>;
  forget(document: DocumentNode): void;
}

interface DocumentReaderOptions {
  schema: GraphQLSchema;
  check: DocumentCheck;
  /** Maximum total size of cached documents, in bytes. */
  maxBytes: number | undefined;
}

/**
 * Maximum number of validation errors per document. For each error, graphql-js may search all names
 * of the schema for a suggestion.
 */
const MAX_ERRORS = 20;

/** Creates a reader of documents for servers that do not parse them themselves. */
export function createDocumentReader({ schema, check, maxBytes }: DocumentReaderOptions): DocumentReader {
  const store = createDocumentStore({ maxBytes });
  const hashes = createDocumentHashes();

  async function readText(
    source: string,
    { foresee, parsed, registered }: ReadRequest,
  ): Promise<KeptDocument | { errors: readonly GraphQLError[] }> {
    const hash = registered?.hash ?? hashes.of(source);
    const known = await store.get(hash);
    if (known) {
      // Remember the hash only from the second request on: a text that is sent once must not evict
      // texts that are sent often.
      if (!registered) hashes.remember(source, hash);
      return { document: known, hash };
    }
    const document = parsed ?? parseText(source, registered !== undefined);
    if (document instanceof GraphQLError) return { errors: [document] };
    const rejection = check.ofParsed(schema, document) ?? (await foresee(document, hash));
    if (rejection) return { errors: [rejection] };
    const errors = validate(schema, document, undefined, { maxErrors: MAX_ERRORS });
    if (errors.length > 0) return { errors: errors.map((error) => withCode(error, 'GRAPHQL_VALIDATION_FAILED')) };
    await store.set(hash, document);
    return { document, hash };
  }

  function parseText(source: string, isRegistered: boolean): DocumentNode | GraphQLError {
    const tooLarge = isRegistered ? undefined : check.ofText(source);
    if (tooLarge) return tooLarge;
    try {
      return parse(source);
    } catch (error) {
      return withCode(error as GraphQLError, 'GRAPHQL_PARSE_FAILED');
    }
  }

  return {
    async read(request) {
      const { document, registered } = request;
      const query = registered ? registered.text : request.query;
      if (document) return { document, hash: undefined };
      if (typeof query === 'string' && query !== '') return readText(query, request);
      return {
        errors: [errorOf('BAD_REQUEST', `${ERRORS.BAD_REQUEST.message}: query: expected the text of a document`)],
      };
    },
    async warm({ text, hash }) {
      const known = await store.get(hash);
      if (known) return known;
      const document = parseText(text, true);
      if (document instanceof GraphQLError || check.ofParsed(schema, document)) return undefined;
      if (validate(schema, document, undefined, { maxErrors: 1 }).length > 0) return undefined;
      await store.set(hash, document);
      return document;
    },
    known: (source) => store.get(hashes.of(source)),
    forget: store.forget,
  };
}

function withCode({ message, nodes, source, positions }: GraphQLError, code: string): GraphQLError {
  const where = { nodes: nodes ?? null, source: source ?? null, positions: positions ?? null };
  return new GraphQLError(message, { ...where, extensions: { code, http: { status: 400 } } });
}
