import { hasHashAlone } from '../any-server/has-hash-alone.js';
import type { ProtectRequest } from '../any-server/protect.js';
import { errorOf, requestError } from '../model/errors.js';
import type { FastifyRequest } from './fastify-app.js';

/** Returns the unchecked parameters of a request; undefined for a batch. */
function givenBy({ method, body, query }: FastifyRequest): Readonly<Record<string, unknown>> | undefined {
  const given = method === 'GET' ? query : body;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined;
  return given as Record<string, unknown>;
}

/**
 * Returns whether a request contains a hash instead of the text of a document, as with persisted
 * queries of Mercurius or automatic persisted queries.
 */
function isHash({ query, persisted, extensions }: Readonly<Record<string, unknown>>): boolean {
  if (persisted === true || persisted === 'true') return true;
  return hasHashAlone({ query, extensions: typeof extensions === 'string' ? readJson(extensions) : extensions });
}

const NO_WEBSOCKETS = 'this server rejects WebSockets, because operations over them would have no price: use HTTP';

type RequestParams = Pick<ProtectRequest, 'query' | 'operationName' | 'variables' | 'extensions' | 'rejection'>;

/** Returns the parameters of a request. A batch has none, so `protect` rejects it. */
export function paramsOf(request: FastifyRequest): RequestParams {
  const params = givenBy(request);
  if (request.ws) return { rejection: [errorOf('BAD_REQUEST', NO_WEBSOCKETS)] };
  if (!params) return {};
  if (isHash(params)) return { rejection: [requestError('PERSISTED_QUERY_NOT_SUPPORTED')] };
  return {
    query: params['query'] as string,
    operationName: (params['operationName'] ?? null) as string | null,
    variables: readObject(params['variables']),
    extensions: readObject(params['extensions']),
  };
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
