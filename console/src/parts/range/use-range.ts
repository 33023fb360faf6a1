import { useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import { serverNow } from '../../api/server-clock.js';
import { useIsAttended } from '../feedback/use-is-attended.js';
import { BUCKET_MS, type Preset, readRange, type TimeRange } from './shown-range.js';

export interface RangeInUse extends TimeRange {
  /** Numbers are asked for again and again, and the stream is open, while the page is used. */
  isLive: boolean;
  /** It is live, and the page is used. */
  isFollowed: boolean;
  /** How often numbers are asked for; undefined: once. */
  everyMs: number | undefined;
  set(text: string): void;
  setLive(isLive: boolean): void;
}

/** The range of the page, which stands in the address: `?range=24h&live=off`. */
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

/** The same parameters but for one. What points to a place in a list is meaningless in another list. */
export function withParam(before: URLSearchParams, name: string, value: string | null): URLSearchParams {
  const after = new URLSearchParams(before);
  after.delete('after');
  if (value === null || value === '') after.delete(name);
  else after.set(name, value);
  return after;
}

/** @param everyMs undefined: it stands still */
function useNow(everyMs: number | undefined): number {
  const [nowMs, setNowMs] = useState(() => serverNow());
  useEffect(() => {
    if (everyMs === undefined) return undefined;
    // After a pause the range ends now, not when the pause began.
    setNowMs((before) => (serverNow() - before > everyMs ? serverNow() : before));
    const timer = setInterval(() => setNowMs(serverNow()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return nowMs;
}
