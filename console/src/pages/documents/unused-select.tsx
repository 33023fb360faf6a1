import { useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { serverNow } from '../../api/server-clock.js';
import { withParam } from '../../parts/range/use-range.js';
import { documentsText } from '../../text/documents-text.js';

const DAYS = [7, 30, 90] as const;
const DAY_MS = 86_400_000;

/** Selects for how long the listed versions or documents were not used. */
export function UnusedSelect() {
  const [search, setSearch] = useSearchParams();
  return (
    <select
      className="select"
      aria-label={documentsText.list.use}
      value={daysOf(search) ?? ''}
      onChange={(event) => setSearch((before) => withParam(before, 'unused', event.target.value))}
    >
      <option value="">{documentsText.list.anyUse}</option>
      {DAYS.map((days) => (
        <option key={days} value={days}>
          {documentsText.list.unusedFor(days)}
        </option>
      ))}
    </select>
  );
}

/** Returns the time since which the listed elements are unused; undefined for all elements. */
export function useUnusedSince(): string | undefined {
  const [search] = useSearchParams();
  const days = daysOf(search);
  // The time stays the same while the filter does. Otherwise each render would send a request.
  return useMemo(() => (days === undefined ? undefined : new Date(serverNow() - days * DAY_MS).toISOString()), [days]);
}

function daysOf(search: URLSearchParams): number | undefined {
  return DAYS.find((days) => `${days}` === search.get('unused'));
}
