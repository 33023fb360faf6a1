/**
 * The headers of a request: a `Headers` object, or an object like that of Node's `IncomingMessage`.
 */
export type RequestHeaders =
  | { get(name: string): string | null | undefined }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Returns a function that reads a header by its name in lower case. */
export function readHeaders(headers: RequestHeaders = {}): (name: string) => string | undefined {
  if (isGetter(headers)) return (name) => headers.get(name) ?? undefined;
  return (name) => {
    const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
    return typeof value === 'object' ? value.join(', ') : value;
  };
}

/**
 * Returns whether headers are a `Headers` object. A plain object may have a header named `get`, but
 * its value is a string.
 */
function isGetter(headers: RequestHeaders): headers is { get(name: string): string | null | undefined } {
  return typeof headers['get' as keyof RequestHeaders] === 'function';
}

type WithHeaders = { headers?: RequestHeaders };

/**
 * Returns the headers of the HTTP request that opened the connection. They are read from `req` (of
 * Node) or `request` (a `Request`) of the context. With NestJS and graphql-ws, `req` is the state
 * of the connection, and the HTTP request is in its `extra`.
 */
export function headersOf(contextValue: object): RequestHeaders | undefined {
  const { req, request } = contextValue as {
    req?: WithHeaders & { extra?: { request?: WithHeaders } };
    request?: WithHeaders;
  };
  return req?.headers ?? req?.extra?.request?.headers ?? request?.headers;
}
