import { useQuery } from '@tanstack/react-query';
import { askAdmin } from '../../../api/ask-admin.js';
import { FieldDocsDocument, type FieldDocsQuery, type FieldDocsQueryVariables } from '../../../generated/graphql.js';

export type FieldCost = FieldDocsQuery['schemaFields']['nodes'][number];

/** Maximum number of pages of 100 fields. A type with more fields shows no costs for the others. */
const MOST_PAGES = 10;

/**
 * Returns the prices of the fields of an object type, by the name of the field. If `service` is
 * undefined, the schema has no prices, and nothing is requested.
 */
export function useFieldCosts(type: string, service: string | null | undefined, isObject: boolean) {
  return useQuery({
    queryKey: ['field-docs', service, type],
    async queryFn({ signal }) {
      const costs = new Map<string, FieldCost>();
      let after: string | null | undefined = null;
      for (let page = 0; page < MOST_PAGES; page++) {
        const variables: FieldDocsQueryVariables = { startsWith: `${type}.`, service: service ?? null, after };
        const { schemaFields }: FieldDocsQuery = await askAdmin(FieldDocsDocument, variables, signal);
        for (const field of schemaFields.nodes) costs.set(field.coordinate.slice(type.length + 1), field);
        if (!schemaFields.pageInfo.hasNextPage) break;
        after = schemaFields.pageInfo.endCursor;
      }
      return costs;
    },
    enabled: isObject && service !== undefined,
  });
}
