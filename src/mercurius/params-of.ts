import type { ProtectRequest } from '../any-server/protect.js';
import { errorOf } from '../model/errors.js';
import type { FastifyRequest } from './fastify-app.js';

/** Returns the unchecked parameters of a request; undefined for a batch. */
function givenBy({ method, body, query }: FastifyRequest): Readonly<Record<string, unknown>> | undefined {
  const given = method === 'GET' ? query : body;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined;
  return given as Record<string, unknown>;
}

const NO_WEBSOCKETS = 'Mercurius serves no WebSockets: set its option `subscription: true`, or use HTTP';

type RequestParams = Pick<
  ProtectRequest,
  'query' | 'documentId' | 'extensions' | 'operationName' | 'variables' | 'rejection'
>;

/** Returns the parameters of a request. A batch has none, so `protect` rejects it. */
export function paramsOf(request: FastifyRequest): RequestParams {
  const params = givenBy(request);
  if (request.ws) return { rejection: [errorOf('BAD_REQUEST', NO_WEBSOCKETS)] };
  if (!params) return {};
  const { query, documentId, doc_id, persisted, extensions } = params;
  // Mercurius has a form of its own: a hash in the place of the query.
  const isHash = persisted === true || persisted === 'true';
  return {
    ...(isHash
      ? { extensions: { persistedQuery: { sha256Hash: query } } }
      : {
          query: query as string,
          documentId: (documentId ?? doc_id ?? undefined) as string | undefined,
          extensions: typeof extensions === 'string' ? readJson(extensions) : extensions,
        }),
    operationName: (params['operationName'] ?? null) as string | null,
    variables: readObject(params['variables']),
  };
}

/** Returns whether a request names its document by an id. */
export function isById({ query }: RequestParams): boolean {
  return query === undefined || query === null || query === '';
}

/** Replaces the id of a request with the text of its document, because Mercurius knows no ids. */
export function setText(request: FastifyRequest, query: string): void {
  const { documentId, doc_id, persisted, extensions, ...rest } = givenBy(request)!;
  const given = { ...rest, query };
  if (request.method === 'GET') request.query = given;
  else request.body = given;
}

/** Returns the variables or the extensions. In a GET request, they are a JSON string, which is parsed. */
function readObject(value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== 'string') return (value ?? undefined) as Record<string, unknown> | undefined;
  return readJson(value) as Record<string, unknown> | undefined;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
