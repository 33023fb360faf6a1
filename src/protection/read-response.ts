import { type DocumentNode, type GraphQLError, Kind } from 'graphql';
import type { ResponseError } from '../cost/cost-plan.js';

/** What an operation that ran has answered, as its price asks. */
export interface ExecutedResponse {
  /** Undefined: nothing has run. */
  readonly data: unknown;
  /** Undefined where there are none. */
  readonly errors: readonly ResponseError[] | undefined;
}

/**
 * @param errors as execution made them: what is sent to the client may have been rewritten
 * @param data as it is sent
 */
export function readResponse(
  data: unknown,
  errors: readonly GraphQLError[] | undefined,
  document: DocumentNode | undefined,
): ExecutedResponse {
  if (errors === undefined || errors.length === 0) return { data, errors: undefined };
  // Variables that their types do not take: that is found before any resolver runs. All else that leaves no `data` at all
  // (a hook that failed, say) has left it after that.
  if (data === undefined && errors.some(isOfVariables)) return { data, errors: undefined };
  const sources = new Set(document?.definitions.map(({ loc }) => loc?.source));
  const paths = errors.map(({ path, nodes }): ResponseError => {
    // A resolver may have thrown the error of another execution, which tells its path there.
    const isOwn = nodes?.some(({ loc }) => sources.has(loc?.source));
    return { path: isOwn ? path : undefined };
  });
  return { data: data ?? null, errors: paths };
}

function isOfVariables({ nodes, path }: GraphQLError): boolean {
  return path === undefined && nodes?.[0]?.kind === Kind.VARIABLE_DEFINITION;
}
