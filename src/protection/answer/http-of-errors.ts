import { GraphQLError, type GraphQLFormattedError } from 'graphql';

/** A GraphQL error, or a plain object received over the network. */
export type AnyError = GraphQLError | GraphQLFormattedError;

/** HTTP status and headers that a list of errors requests. */
interface HttpOfErrors {
  /** Undefined if no error sets a status. */
  status: number | undefined;
  /** Header values by lower-case name. */
  headers: Map<string, string>;
}

/**
 * Returns the status and headers of a response with these errors. It reads `extensions.http` of
 * each error: the first status is used, and the headers are merged. Apollo Server stores the
 * headers as a map, and GraphQL Yoga as an object, which `onlyMaps` ignores.
 */
export function httpOfErrors(errors: readonly AnyError[], { onlyMaps = false } = {}): HttpOfErrors {
  let status: number | undefined;
  const headers = new Map<string, string>();
  for (const { extensions } of errors) {
    const http = extensions?.['http'];
    if (typeof http !== 'object' || http === null) continue;
    const named = http as { status?: unknown; headers?: unknown };
    if (status === undefined && typeof named.status === 'number') status = named.status;
    if (onlyMaps && !(named.headers instanceof Map)) continue;
    for (const [name, value] of entriesOf(named.headers)) headers.set(name, String(value));
  }
  return { status, headers };
}

/** Returns an error in the form that is sent: without `extensions.http`. */
export function withoutHttp(error: AnyError): GraphQLFormattedError {
  const shown: GraphQLFormattedError = error instanceof GraphQLError ? error.toJSON() : error;
  if (shown.extensions?.['http'] === undefined) return shown;
  const { http: _http, ...extensions } = shown.extensions;
  return { ...shown, extensions };
}

function entriesOf(headers: unknown): Iterable<readonly [string, unknown]> {
  if (headers instanceof Map) return headers;
  return typeof headers === 'object' && headers !== null ? Object.entries(headers) : [];
}
