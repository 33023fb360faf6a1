import { useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import { serverNow } from '../../api/server-clock.js';
import { useIsAttended } from '../feedback/use-is-attended.js';
import { BUCKET_MS, type Preset, readRange, type TimeRange } from './shown-range.js';

export interface RangeInUse extends TimeRange {
  /**
   * Whether live updates are on: data refreshes and the stream is open while the page is in use.
   */
  isLive: boolean;
  /** Whether live updates are on and the page is in use. */
  isFollowed: boolean;
  /** Refresh interval in milliseconds. Undefined: no refresh. */
  everyMs: number | undefined;
  set(text: string): void;
  setLive(isLive: boolean): void;
}

/** Returns the range of the page from the URL: `?range=24h&live=off`. */
export function useRange(defaultPreset: Preset = '1h'): RangeInUse {
  const [search, setSearch] = useSearchParams();
  const isAttended = useIsAttended();
  const nowMs = useNow(isAttended ? BUCKET_MS.MINUTE / 4 : undefined);
  const range = readRange(search.get('range'), nowMs, defaultPreset);
  const isLive = range.preset !== undefined && search.get('live') !== 'off';
  const isFollowed = isLive && isAttended;
  return {
    ...range,
    isLive,
    isFollowed,
    everyMs: isFollowed ? (range.bucket === 'MINUTE' ? 10_000 : 60_000) : undefined,
    set: (text) => setSearch((before) => withParam(before, 'range', text)),
    setLive: (on) => setSearch((before) => withParam(before, 'live', on ? null : 'off'), { replace: true }),
  };
}

/**
 * Returns the parameters with one of them changed. It removes the cursor, which is invalid in
 * another list.
 */
export function withParam(before: URLSearchParams, name: string, value: string | null): URLSearchParams {
  const after = new URLSearchParams(before);
  after.delete('after');
  if (value === null || value === '') after.delete(name);
  else after.set(name, value);
  return after;
}

/**
 * Returns the current time, updated at an interval.
 * @param everyMs interval in milliseconds. Undefined: no updates
 */
function useNow(everyMs: number | undefined): number {
  const [nowMs, setNowMs] = useState(() => serverNow());
  useEffect(() => {
    if (everyMs === undefined) return undefined;
    // After a pause, the range must end now, not at the start of the pause.
    setNowMs((before) => (serverNow() - before > everyMs ? serverNow() : before));
    const timer = setInterval(() => setNowMs(serverNow()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return nowMs;
}
