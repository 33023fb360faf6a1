import { GraphQLError, type GraphQLErrorOptions } from 'graphql';

/**
 * Every error a caller can meet: its code, its HTTP status and what its message says. One table, so that the docs, the
 * plugin and the admin API cannot disagree: the table of docs/answers.md is printed from it. There a comment says when the
 * error occurs, `@beside` what stands in `extensions` beside the code, and `@status` when the status is another.
 */
export const ERRORS = {
  /**
   * A limit has no room now.
   * @status 429, or 200 where the server is set so
   * @beside `retryAfterMs` (and `isFloor` or `isConcurrency`, see below), `deniedBy`, and `requested`, `available` and
   * `maxAdmissibleCost` in `unit`, which says what the limit counts: `TOKENS`, `CALLS`, `REQUESTS`, `NODES`, `TYPE_COST` or
   * `FIELD_COST`. `requestedCost` is a deprecated name of `requested`
   */
  THROTTLED: { status: 429, message: 'Rate limit exceeded' },
  /**
   * The operation can never pass: it costs more than the whole capacity of a limit, or more than the tier allows for one
   * operation.
   * @beside `requested` and `maximum` in `unit`, `deniedBy`, `mostExpensivePaths`. `requestedCost`, `maximumCost` and
   * `dearestPaths` are deprecated names
   */
  MAX_COST_EXCEEDED: { status: 400, message: 'The operation is too expensive' },
  /**
   * More limits apply to the operation, or to its batch, than one charge takes. It passes when its fields are asked for in
   * several operations.
   * @beside `limits`, `maximumLimits`
   */
  TOO_MANY_LIMITS: { status: 400, message: 'The operation is under too many limits' },
  /**
   * A limit that must not be skipped cannot be checked.
   * @beside `deniedBy`
   */
  UNAVAILABLE: { status: 503, message: 'The limiter is unavailable' },
  /** The database is away, and nothing is remembered of this API key. The caller does not count as anonymous. */
  IDENTITY_UNAVAILABLE: { status: 503, message: 'The API key cannot be verified right now' },
  /**
   * The `identify` of the server threw an error, answered what no caller can be counted by, or did not answer in time
   * (`identifyTimeoutMs`). The message says what was expected.
   * @status 500, or 503 where it did not answer in time
   */
  IDENTIFY_FAILED: { status: 500, message: 'The server could not tell who is asking' },
  /**
   * The credential is wrong, expired or revoked, or there is none where one is needed. The caller with a wrong
   * one never counts as anonymous.
   */
  UNAUTHENTICATED: { status: 401, message: 'Invalid credentials' },
  /** In the admin API: the credential is good, but its role does not allow the operation. */
  FORBIDDEN: { status: 403, message: 'Not allowed' },
  /** A list wants exactly one of its slicing arguments, and got none or several. */
  COST_SLICING_ARGUMENT: { status: 400, message: 'Exactly one slicing argument is required' },
  /**
   * More is asked of a list than a caller may ask for.
   * @beside `coordinate`, `requestedSize`, `maximumSize`
   */
  MAX_LIST_SIZE_EXCEEDED: { status: 400, message: 'A list is asked for too much' },
  /** The document is too complex to be priced. */
  OPERATION_TOO_COMPLEX: { status: 400, message: 'The operation is too complex to be priced' },
  /**
   * The document has more bytes, tokens, depth, aliases, directives, definitions or comparisons than one may have. It is
   * refused before it is parsed or, for comparisons, before it is validated.
   * @beside `limit`, `maximum`
   */
  DOCUMENT_LIMIT_EXCEEDED: { status: 400, message: 'The document is too large' },
  /**
   * The request is no GraphQL request that is served here: no JSON, no operation, a batch where batches are off, a batch of
   * too many operations, a subscription or mutation where the API has none. A subscription over HTTP is refused behind Apollo
   * Server, Mercurius, the gateway and the platform; it pays the fee.
   */
  BAD_REQUEST: { status: 400, message: 'Bad request' },
  /**
   * The hash of a text came, and no text, where nothing keeps texts: a gateway, Mercurius, GraphQL Yoga without a plugin that
   * does. Clients with automatic persisted queries know the message, and send the text from then on.
   */
  // Some of these clients read no answer of another status.
  PERSISTED_QUERY_NOT_SUPPORTED: { status: 200, message: 'PersistedQueryNotSupported' },
  /** The method is neither POST nor, for a query, GET. */
  METHOD_NOT_ALLOWED: { status: 405, message: 'The method is not allowed' },
  /** The body has too many bytes, after inflation. */
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The request body is too large' },
  /** Behind a gateway: the headers have more bytes than the gateway forwards (15.5 KiB), or than the API takes. */
  HEADERS_TOO_LARGE: { status: 431, message: 'The headers are too large' },
  /** The body is not `application/json`. */
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'The content type is not supported' },
  /** Variables do not fit their types. */
  BAD_USER_INPUT: { status: 400, message: 'Invalid variables' },
  /** Behind a [gateway](gateway.md): the API cannot be reached, or has broken its answer off. */
  UPSTREAM_UNAVAILABLE: { status: 502, message: 'The API cannot be reached' },
  /**
   * Behind a gateway: the API has answered what is no GraphQL.
   * @beside `upstreamStatus`
   */
  UPSTREAM_INVALID_ANSWER: { status: 502, message: 'The API has answered what is no GraphQL' },
  /** Behind a gateway: the API has not answered in time. */
  UPSTREAM_TIMEOUT: { status: 504, message: 'The API has not answered in time' },
  /**
   * Behind a gateway: the API has as many requests as it may have, or was away a moment ago. `Retry-After` says when to come
   * again.
   */
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
