/** The members of a request that contain its parameters. */
export interface ParamsRequest {
  readonly method: string;
  readonly url: string;
  /** The body, or a function that reads it. It can be called only once. */
  body: unknown;
}

/** Parameters of a request with an id instead of a query. */
export interface DocumentParams {
  readonly query: '';
  readonly documentId: unknown;
  readonly extensions: Record<string, unknown> | null | undefined;
  readonly operationName: string | null | undefined;
  readonly variables: Record<string, unknown> | null | undefined;
}

const MENTIONS_ID = /"(documentId|doc_id|persistedQuery)"/;

/**
 * Reads the parameters of a request with an id, which graphql-http would reject because it has no
 * query. Returns undefined for all other requests. graphql-http then reads the body that this
 * function has stored in the request.
 */
export async function readDocumentParams(request: ParamsRequest): Promise<DocumentParams | undefined> {
  const given = request.method === 'GET' ? inAddress(request.url) : await inBody(request);
  if (given === undefined || (given['query'] ?? '') !== '') return undefined;
  const documentId = given['documentId'] ?? given['doc_id'] ?? undefined;
  const { extensions } = given;
  const hasHash = typeof extensions === 'object' && extensions !== null && 'persistedQuery' in extensions;
  if (documentId === undefined && !hasHash) return undefined;
  return {
    query: '',
    documentId,
    extensions: extensions as DocumentParams['extensions'],
    operationName: given['operationName'] as string | null | undefined,
    variables: given['variables'] as Record<string, unknown> | null | undefined,
  };
}

function inAddress(url: string): Record<string, unknown> | undefined {
  const mark = url.indexOf('?');
  const parameters = Object.fromEntries(new URLSearchParams(mark < 0 ? '' : url.slice(mark)));
  if (parameters['query']) return undefined;
  const { variables, extensions } = parameters;
  return { ...parameters, variables: readJson(variables), extensions: readJson(extensions) };
}

async function inBody(request: ParamsRequest): Promise<Record<string, unknown> | undefined> {
  const { body } = request;
  const read: unknown = typeof body === 'function' ? await body.call(request) : body;
  request.body = read;
  // Most requests have a query. Their body is parsed only once, by graphql-http.
  const parsed = typeof read === 'string' ? (MENTIONS_ID.test(read) ? readJson(read) : undefined) : read;
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined;
  return parsed as Record<string, unknown>;
}

function readJson(text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // The protection rejects the text, because it is not an object.
    return text;
  }
}
