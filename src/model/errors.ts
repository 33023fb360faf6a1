import { GraphQLError, type GraphQLErrorOptions } from 'graphql';

/**
 * Every error a caller can meet: its code, its HTTP status and what its message says. One table, so that the docs, the
 * plugin and the admin API cannot disagree.
 */
export const ERRORS = {
  /** A limit has no room now; `retryAfterMs` says when it will. */
  THROTTLED: { status: 429, message: 'Rate limit exceeded' },
  /** The operation costs more than its limit can ever hold, or more than the tier allows per operation. */
  MAX_COST_EXCEEDED: { status: 400, message: 'The operation is too expensive' },
  /** More limits apply to the operation, or to a batch, than can be charged together. */
  TOO_MANY_LIMITS: { status: 400, message: 'The operation is under too many limits' },
  /** A limit that must not be skipped could not be checked. */
  UNAVAILABLE: { status: 503, message: 'The limiter is unavailable' },
  /** The API key cannot be looked up right now. */
  IDENTITY_UNAVAILABLE: { status: 503, message: 'The API key cannot be verified right now' },
  /** What the server says of the caller is nothing that they could be counted by: a mistake of the server's. */
  IDENTIFY_FAILED: { status: 500, message: 'The server could not tell who is asking' },
  /** No credential where one is needed, or one that is wrong, expired or revoked. */
  UNAUTHENTICATED: { status: 401, message: 'Invalid credentials' },
  /** A good credential whose role does not allow the operation. */
  FORBIDDEN: { status: 403, message: 'Not allowed' },
  /** More than one slicing argument where exactly one is wanted, or none. */
  COST_SLICING_ARGUMENT: { status: 400, message: 'Exactly one slicing argument is required' },
  /** More is asked of a list than a caller may ask for. */
  MAX_LIST_SIZE_EXCEEDED: { status: 400, message: 'A list is asked for too much' },
  /** The document is too complex to be priced within the analyser's budget. */
  OPERATION_TOO_COMPLEX: { status: 400, message: 'The operation is too complex to be priced' },
  /** More bytes, tokens, depth, aliases, directives or definitions than a document may have. */
  DOCUMENT_LIMIT_EXCEEDED: { status: 400, message: 'The document is too large' },
  /** A request that is no GraphQL request: no JSON, no document, a batch where batches are off. */
  BAD_REQUEST: { status: 400, message: 'Bad request' },
  /**
   * Behind a gateway: the hash of a text in place of it. Clients know these words, and send the text from then on; some of
   * them read no answer of another status.
   */
  PERSISTED_QUERY_NOT_SUPPORTED: { status: 200, message: 'PersistedQueryNotSupported' },
  /** Another method than POST, or than GET for a query. */
  METHOD_NOT_ALLOWED: { status: 405, message: 'The method is not allowed' },
  /** A request body with more bytes than allowed, after inflation. */
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The request body is too large' },
  /** Behind a gateway: headers with more bytes than the gateway forwards, or than the API takes. */
  HEADERS_TOO_LARGE: { status: 431, message: 'The headers are too large' },
  /** A request body that is not JSON by its content type. */
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'The content type is not supported' },
  /** Variables that cannot be coerced to their types. */
  BAD_USER_INPUT: { status: 400, message: 'Invalid variables' },
  /** Behind a gateway: the API does not answer, or has broken its answer off. */
  UPSTREAM_UNAVAILABLE: { status: 502, message: 'The API cannot be reached' },
  /** Behind a gateway: the API has answered what is no GraphQL. */
  UPSTREAM_INVALID_ANSWER: { status: 502, message: 'The API has answered what is no GraphQL' },
  /** Behind a gateway: the API has not answered in time. */
  UPSTREAM_TIMEOUT: { status: 504, message: 'The API has not answered in time' },
  /** Behind a gateway: as many requests are with the API as it may have at once, or it was away a moment ago. */
  UPSTREAM_OVERLOADED: { status: 503, message: 'The API takes no more requests right now' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof ERRORS;

interface ErrorDetails extends Omit<GraphQLErrorOptions, 'extensions'> {
  /** What stands in `extensions` beside the code. */
  extensions?: Readonly<Record<string, unknown>>;
  /** The status where it is not that of the table. */
  status?: number | undefined;
  headers?: ReadonlyMap<string, string> | undefined;
}

const CHALLENGE = 'Bearer realm="Tollgate"';

/**
 * An error that a caller is to read: with its code and with the status and the headers of its answer, in the form in which
 * Apollo Server takes them from an error (`extensions.http`).
 */
export function errorOf(
  code: ErrorCode,
  message: string,
  { extensions, status, headers, ...options }: ErrorDetails = {},
): GraphQLError {
  const http: { status: number; headers?: ReadonlyMap<string, string> } = {
    status: status ?? ERRORS[code].status,
    ...(headers && { headers }),
  };
  // HTTP asks for it beside a 401. A key in a header of its own has no scheme that could be named.
  if (http.status === 401) http.headers = new Map([['www-authenticate', CHALLENGE], ...(headers ?? [])]);
  return new GraphQLError(message, { ...options, extensions: { code, ...extensions, http } });
}

/** Returns the error of a request that is rejected: the message of its code, with what is wrong in this request. */
export function requestError(
  code: ErrorCode,
  detail?: string,
  headers?: Readonly<Record<string, string>>,
): GraphQLError {
  const { message } = ERRORS[code];
  return errorOf(code, detail === undefined ? message : `${message}: ${detail}`, {
    headers: headers && new Map(Object.entries(headers)),
  });
}
