import { type DocumentNode, type GraphQLError, Kind } from 'graphql';
import type { ResponseError } from '../cost/cost-plan.js';

/** Response of an executed operation, in the form that pricing needs. */
export interface ExecutedResponse {
  /** Undefined if nothing has run. */
  readonly data: unknown;
  /** Undefined if there are none. */
  readonly errors: readonly ResponseError[] | undefined;
}

/**
 * Converts a result to the form that pricing needs.
 * @param errors errors that the execution returned, before they are rewritten for the client
 * @param data the data that is sent to the client
 */
export function readResponse(
  data: unknown,
  errors: readonly GraphQLError[] | undefined,
  document: DocumentNode | undefined,
): ExecutedResponse {
  if (errors === undefined || errors.length === 0) return { data, errors: undefined };
  // Invalid variables are found before any resolver runs. If `data` is missing for any other
  // reason, such as a failed hook, resolvers may have run.
  if (data === undefined && errors.some(isOfVariables)) return { data, errors: undefined };
  const sources = new Set(document?.definitions.map(({ loc }) => loc?.source));
  const paths = errors.map(({ path, nodes }): ResponseError => {
    // A resolver may have thrown an error of another execution. The path of that error belongs to
    // the other execution.
    const isOwn = nodes?.some(({ loc }) => sources.has(loc?.source));
    return { path: isOwn ? path : undefined };
  });
  return { data: data ?? null, errors: paths };
}

/** Adds positions whose parts were not received. They count like positions that errors set to null. */
export function withOutstanding(
  response: ExecutedResponse,
  outstanding: readonly ResponseError[] = [],
): ExecutedResponse {
  if (outstanding.length === 0) return response;
  return { ...response, errors: [...(response.errors ?? []), ...outstanding] };
}

function isOfVariables({ nodes, path }: GraphQLError): boolean {
  return path === undefined && nodes?.[0]?.kind === Kind.VARIABLE_DEFINITION;
}
