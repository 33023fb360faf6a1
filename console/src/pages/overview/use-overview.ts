import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { askAdmin } from '../../api/ask-admin.js';
import type { AskedDocument } from '../../api/use-admin.js';
import { MoreUsageDocument, OverviewDocument, type UsagePageFragment } from '../../generated/graphql.js';
import { rangeBefore, rangeInput } from '../../parts/range/shown-range.js';
import type { RangeInUse } from '../../parts/range/use-range.js';

export interface OverviewData {
  points: UsagePageFragment['nodes'];
  pointsBefore: UsagePageFragment['nodes'];
}

/**
 * Reads the usage in the range and in the range before. If a series is longer than one page, it
 * reads all pages.
 * @param enabled whether the range is known
 */
export function useOverview(range: RangeInUse, enabled: boolean) {
  const { bucket } = range;
  const [now, before] = [rangeInput(range), rangeInput(rangeBefore(range))];
  const variables = { range: now, before, bucket };
  return useQuery({
    queryKey: ['overview', variables],
    async queryFn({ signal }): Promise<OverviewData> {
      const { usage, usageBefore } = await askAdmin(OverviewDocument, variables, signal);
      const restOf = async (page: UsagePageFragment, within: typeof now) => {
        const points = [...page.nodes];
        let { hasNextPage, endCursor } = page.pageInfo;
        while (hasNextPage && endCursor) {
          const more = await askAdmin(MoreUsageDocument, { range: within, bucket, after: endCursor }, signal);
          points.push(...more.usage.nodes);
          ({ hasNextPage, endCursor } = more.usage.pageInfo);
        }
        return points;
      };
      const [points, pointsBefore] = await Promise.all([restOf(usage, now), restOf(usageBefore, before)]);
      return { points, pointsBefore };
    },
    placeholderData: keepPreviousData,
    enabled,
    refetchInterval: range.everyMs ?? false,
    meta: { document: OverviewDocument.toString(), variables } satisfies AskedDocument,
  });
}
