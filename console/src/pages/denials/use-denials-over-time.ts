import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { askAdmin } from '../../api/ask-admin.js';
import type { AskedDocument } from '../../api/use-admin.js';
import {
  type DenialFilter,
  DenialsOverTimeDocument,
  type DenialsOverTimeQuery,
  type UsageFilter,
  type UsageGroup,
} from '../../generated/graphql.js';
import { rangeInput } from '../../parts/range/shown-range.js';
import type { RangeInUse } from '../../parts/range/use-range.js';
import type { DenialPoint } from './denial-counts.js';
import { ignoredMembers } from './ignored-members.js';

/** Reads the exact numbers of denials in all time buckets of the range, page by page. */
export function useDenialsOverTime(range: RangeInUse, asked: DenialFilter) {
  const { shadow: _shadow, rule, integration, ...others } = asked;
  const ignored = ignoredMembers(asked);
  const isByRule = Boolean(rule) && !ignored.rule;
  const isByIntegration = Boolean(integration) && !ignored.integration;
  const groupBy: UsageGroup[] = isByRule ? ['RULE'] : isByIntegration ? ['INTEGRATION'] : [];
  const filter: UsageFilter = isByRule
    ? { rule: rule ?? null }
    : isByIntegration
      ? { integration: integration ?? null }
      : others;
  const variables = { range: rangeInput(range), bucket: range.bucket, groupBy, filter };
  return useQuery({
    queryKey: ['denials-over-time', variables],
    async queryFn({ signal }): Promise<DenialPoint[]> {
      const points: DenialPoint[] = [];
      let after: string | null = null;
      do {
        const { usage }: DenialsOverTimeQuery = await askAdmin(
          DenialsOverTimeDocument,
          { ...variables, after },
          signal,
        );
        points.push(...usage.nodes);
        after = usage.pageInfo.hasNextPage ? (usage.pageInfo.endCursor ?? null) : null;
      } while (after !== null);
      return points;
    },
    placeholderData: keepPreviousData,
    refetchInterval: range.everyMs ?? false,
    meta: { document: DenialsOverTimeDocument.toString(), variables } satisfies AskedDocument,
  });
}
