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

/**
 * Returns whether the counts over time ignore the rule of the filter. Usage is recorded by rule or
 * by caller and operation, but not by both.
 */
export function isRuleIgnored({ rule, shadow: _shadow, ...others }: DenialFilter): boolean {
  return Boolean(rule) && Object.keys(others).length > 0;
}

/** Reads the exact numbers of denials in all time buckets of the range, page by page. */
export function useDenialsOverTime(range: RangeInUse, { shadow: _shadow, rule, ...others }: DenialFilter) {
  const isByRule = Boolean(rule) && Object.keys(others).length === 0;
  const groupBy: UsageGroup[] = isByRule ? ['RULE'] : [];
  const filter: UsageFilter = isByRule ? { rule: rule ?? null } : others;
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
