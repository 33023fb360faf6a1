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

/** Those of the handshake, where the context has its request: Node's `req`, or a `Request`. */
export function headersOf(contextValue: object): RequestHeaders | undefined {
  const { req, request } = contextValue as Partial<Record<'req' | 'request', { headers?: RequestHeaders }>>;
  return req?.headers ?? request?.headers;
}
