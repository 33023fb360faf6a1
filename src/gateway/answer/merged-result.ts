import type { GraphQLFormattedError } from 'graphql';
import type { MergedParts } from '../../protection/incremental/create-merge.js';
import type { GraphqlResult } from '../upstream/read-answer.js';

/**
 * Returns the merged result; undefined if the parts do not show which fields the API executed, for
 * example because one of them failed.
 */
export function mergedResult(merged: MergedParts): GraphqlResult | undefined {
  const { data, errors, failed, isUnknown } = merged.result();
  if (isUnknown || failed.length > 0) return undefined;
  return {
    ...(data.data !== undefined && { data: data.data as GraphqlResult['data'] & object }),
    ...(errors !== undefined && { errors: errors as readonly GraphQLFormattedError[] }),
  };
}
