import { GraphQLError, type GraphQLErrorOptions } from 'graphql';

/**
 * All errors that a caller can receive, with code, HTTP status and message. A single table keeps
 * the docs, the plugin and the admin API consistent: the table of docs/responses.md is generated
 * from it. The comment of an error describes when it occurs. `@extensions` lists the members of
 * `extensions` in addition to the code, and `@status` the status if there is more than one.
 */
export const ERRORS = {
  /**
   * The remaining amount of a limit is too small for the operation at this time.
   * @status 429, or 200, as configured by the server
   * @extensions `retryAfterMs`, `retryAt`, `deniedBy`, `suggestion`; see below for `isFloor` and
   * `isConcurrency`. Also `cost`, `limit`, `remaining` and `maxAffordableCost` in `unit`, the unit
   * of the limit: `TOKENS`, `CALLS`, `REQUESTS`, `NODES`, `TYPE_COST`, `FIELD_COST`,
   * `SUBSCRIPTIONS` or `CONNECTIONS`
   */
  THROTTLED: { status: 429, message: 'Rate limit exceeded' },
  /**
   * The operation can never be admitted: it costs more than the capacity of a limit, or more than
   * the tier allows for one operation.
   * @extensions `cost`, `limit`, `remaining` and `maxAffordableCost` in `unit`, `deniedBy`,
   * `mostExpensivePaths`, `suggestion`
   */
  MAX_COST_EXCEEDED: { status: 400, message: 'The operation is too expensive' },
  /**
   * More limits apply to the operation, or to its batch, than one charge can contain. To avoid
   * this error, request the fields in several operations.
   * @extensions `limits`, `maximumLimits`
   */
  TOO_MANY_LIMITS: { status: 400, message: 'Too many limits apply to the operation' },
  /**
   * Redis is unavailable, and a limit of the operation denies in this case (`onUnavailable` is
   * `CLOSED`). Another cause is a rule or tier that a newer version of Tollgate has stored, with a
   * feature that this version does not know. In the admin API: Redis or PostgreSQL is unavailable,
   * or too many streams are open.
   * @extensions `deniedBy`
   */
  UNAVAILABLE: { status: 503, message: 'The limiter is unavailable' },
  /**
   * Redis did not respond in time, and operations in flight may use up a limit. Nothing was charged.
   * After `retryAfterMs`, the server decides without Redis.
   * @extensions `retryAfterMs`, `retryAt`, `deniedBy`
   */
  UNDECIDED: { status: 503, message: 'The limiter could not decide in time' },
  /**
   * The database or the token issuer is unavailable, and the credential is in no cache. Tollgate
   * does not treat the caller as anonymous.
   */
  IDENTITY_UNAVAILABLE: { status: 503, message: 'The credential cannot be verified at the moment' },
  /**
   * The server's function `identify` threw an error, returned an invalid value, or did not finish
   * within `identifyTimeoutMs`. The message names the expected value.
   * @status 500, or 503 after a timeout
   */
  IDENTIFY_FAILED: { status: 500, message: 'The server could not identify the caller' },
  /**
   * The credential is wrong, expired or revoked, or a required credential is missing. Tollgate
   * never treats a caller with a wrong credential as anonymous.
   */
  UNAUTHENTICATED: { status: 401, message: 'Invalid credentials' },
  /** In the admin API: the credential is valid, but its role does not allow the operation. */
  FORBIDDEN: { status: 403, message: 'Not allowed' },
  /**
   * The API key may not select a field of the operation, because the field is not among its
   * [fields](admin-api.md#budgets-and-fields-of-keys). No limit was checked, and the fee was charged.
   * @extensions `coordinate`, the field
   */
  FIELD_NOT_ALLOWED: { status: 403, message: 'The API key does not allow this operation' },
  /**
   * A list requires exactly one of its slicing arguments (such as `first` or `last`), but the
   * operation contains none or several.
   */
  COST_SLICING_ARGUMENT: { status: 400, message: 'Exactly one slicing argument is required' },
  /**
   * The requested size of a list exceeds its maximum.
   * @extensions `coordinate`, `requestedSize`, `maximumSize`
   */
  MAX_LIST_SIZE_EXCEEDED: { status: 400, message: 'The requested list size is too large' },
  /** The document is too complex to be priced. */
  OPERATION_TOO_COMPLEX: { status: 400, message: 'The operation is too complex to be priced' },
  /**
   * The document has more bytes, lexical tokens, depth, aliases, directives or definitions than
   * allowed, or its validation would take too many comparisons. It is rejected before it is parsed
   * or, for comparisons, before it is validated.
   * @extensions `limit`, `maximum`
   */
  DOCUMENT_LIMIT_EXCEEDED: { status: 400, message: 'The document is too large' },
  /**
   * The server does not support the request: its body is not JSON or contains no operation, or the
   * request is a batch that is too large or not allowed. A subscription or mutation is also
   * rejected if the schema has none. Apollo Server, Mercurius and the platform reject a subscription
   * over HTTP and charge the fee for it. The gateway does so if the client accepts no format of
   * events.
   */
  BAD_REQUEST: { status: 400, message: 'Bad request' },
  /**
   * The request contains the hash of a document without its text, and the text is not known.
   * Clients with automatic persisted queries recognize the message, and then send the text with its
   * hash.
   */
  // Some of these clients do not read a response whose status is not 200.
  PERSISTED_QUERY_NOT_FOUND: { status: 200, message: 'PersistedQueryNotFound' },
  /**
   * The request contains an id instead of the text of a document, and no published version of an app
   * has a document with this id. The error does not repeat the id.
   */
  DOCUMENT_NOT_FOUND: { status: 400, message: 'The id of the document is unknown' },
  /**
   * The server accepts registered documents only (`documents.unregistered` is `ENFORCE`), and the
   * document of the operation is not registered.
   */
  DOCUMENT_NOT_REGISTERED: { status: 403, message: 'The document is not registered' },
  /** The document with this id is in no cache, and the database is unavailable. */
  DOCUMENT_STORE_UNAVAILABLE: { status: 503, message: 'Registered documents cannot be read at the moment' },
  /** The method is neither POST nor, for a query, GET. */
  METHOD_NOT_ALLOWED: { status: 405, message: 'The method is not allowed' },
  /** The body has too many bytes, after inflation. */
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The request body is too large' },
  /**
   * Behind a gateway: the headers have more bytes than the gateway forwards (15.5 KiB), or more
   * than the API accepts.
   * @extensions `upstreamStatus`, if the API rejected the headers
   */
  HEADERS_TOO_LARGE: { status: 431, message: 'The headers are too large' },
  /** The body is not `application/json`. */
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'The content type is not supported' },
  /** Variables do not fit their types. */
  BAD_USER_INPUT: { status: 400, message: 'Invalid variables' },
  /**
   * Behind a [gateway](gateway.md): the API cannot be reached, or has closed the connection during
   * its response.
   */
  UPSTREAM_UNAVAILABLE: { status: 502, message: 'The API cannot be reached' },
  /**
   * Behind a gateway: the response of the API is not a GraphQL response.
   * @extensions `upstreamStatus`
   */
  UPSTREAM_INVALID_ANSWER: { status: 502, message: 'The API answered with something other than GraphQL' },
  /**
   * An administrator has ended the subscription, or closed its WebSocket (close code 1008). Clients
   * must not subscribe again without an action of the user.
   */
  ENDED_BY_ADMINISTRATOR: { status: 403, message: 'An administrator has ended the subscription' },
  /** The server has ended the subscription, because it stops. Clients subscribe again. */
  SUBSCRIPTION_ENDED: { status: 503, message: 'The server has ended the subscription' },
  /** Behind a gateway: the API has not responded in time. */
  UPSTREAM_TIMEOUT: { status: 504, message: 'The API did not answer in time' },
  /**
   * Behind a gateway: too many requests to the API are in flight, or the API has just been
   * unavailable. `Retry-After` is the time to wait.
   */
  UPSTREAM_OVERLOADED: { status: 503, message: 'The API accepts no more requests at the moment' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof ERRORS;

interface ErrorDetails extends Omit<GraphQLErrorOptions, 'extensions'> {
  /** Members of `extensions` in addition to the code. */
  extensions?: Readonly<Record<string, unknown>>;
  /** Status, if it differs from the one in the table. */
  status?: number | undefined;
  headers?: ReadonlyMap<string, string> | undefined;
}

const CHALLENGE = 'Bearer realm="Tollgate"';

/**
 * Creates an error for the caller. It has a code, and the status and headers of the response, in
 * the form in which Apollo Server reads them from an error (`extensions.http`).
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
  // HTTP requires this header with status 401. The header names only `Bearer`, because a key in
  // `x-api-key` has no authentication scheme.
  if (http.status === 401) http.headers = new Map([['www-authenticate', CHALLENGE], ...(headers ?? [])]);
  const error = new GraphQLError(message, { ...options, extensions: { code, ...extensions, http } });
  // Apollo Server sends the stack of each error in development. Here the code and the message name
  // the cause, and the stack only shows functions of Tollgate.
  if (!options.originalError) delete error.stack;
  return error;
}

/**
 * Creates the error of a rejected request: the message of its code, with the mistake in this
 * request.
 */
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
