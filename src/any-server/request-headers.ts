/** The headers of a request: a `Headers`, or an object as Node's `IncomingMessage` has it. */
export type RequestHeaders =
  | { get(name: string): string | null | undefined }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Reads them by name in lower case. */
export function readHeaders(headers: RequestHeaders = {}): (name: string) => string | undefined {
  if (isGetter(headers)) return (name) => headers.get(name) ?? undefined;
  return (name) => {
    const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
    return typeof value === 'object' ? value.join(', ') : value;
  };
}

/** An object of headers may have one that is named `get`: that is a text. */
function isGetter(headers: RequestHeaders): headers is { get(name: string): string | null | undefined } {
  return typeof headers['get' as keyof RequestHeaders] === 'function';
}

type WithHeaders = { headers?: RequestHeaders };

/**
 * Those of the handshake, where the context has its request: Node's `req`, or a `Request`. NestJS hands graphql-ws a context whose `req` is
 * what graphql-ws knows of the connection, with the request inside of it.
 */
export function headersOf(contextValue: object): RequestHeaders | undefined {
  const { req, request } = contextValue as {
    req?: WithHeaders & { extra?: { request?: WithHeaders } };
    request?: WithHeaders;
  };
  return req?.headers ?? req?.extra?.request?.headers ?? request?.headers;
}
