import { useQuery } from '@tanstack/react-query';
import { askAdmin } from '../../api/ask-admin.js';
import { serverNow } from '../../api/server-clock.js';
import { EarlierUsageDocument } from '../../generated/graphql.js';
import { rangeInput } from '../../parts/range/shown-range.js';

const HOUR_MS = 3_600_000;
/** Longest range for which the platform returns usage by hour, in milliseconds. */
const HOURS_MS = 8 * 24 * HOUR_MS;

/**
 * Returns the range with which the overview opens: the last hour, or 15 minutes while there is less
 * than an hour of data. With less data, an hour could not be compared with the hour before.
 * Undefined until it is known.
 * @param isAsked whether the URL contains no range
 */
export function useFirstRange(isAsked: boolean): '15m' | '1h' | undefined {
  const { data, isError } = useQuery({
    queryKey: ['first-range'],
    queryFn: ({ signal }) => hasHourOfData(signal),
    enabled: isAsked,
    // The range must not change while the user reads the page.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: ({ state }) => (state.data === false ? 'always' : false),
  });
  if (!isAsked || isError) return '1h';
  return data === undefined ? undefined : data ? '1h' : '15m';
}

async function hasHourOfData(signal: AbortSignal): Promise<boolean> {
  const hourAgoMs = serverNow() - HOUR_MS;
  const between = (fromMs: number, toMs: number) =>
    rangeInput({ fromMs, toMs, bucket: 'HOUR', preset: undefined, isYesterday: false });
  const { minutes, hours } = await askAdmin(
    EarlierUsageDocument,
    // The second range ends two hours ago. The platform extends it to whole hours, so it may end up
    // to an hour later.
    { minutes: between(hourAgoMs - HOUR_MS, hourAgoMs), hours: between(hourAgoMs - HOURS_MS, hourAgoMs - HOUR_MS) },
    signal,
  );
  return minutes.nodes.length > 0 || hours.nodes.length > 0;
}
