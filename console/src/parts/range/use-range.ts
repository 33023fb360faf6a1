import { useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import { BUCKET_MS, type Preset, readRange, type TimeRange } from './shown-range.js';

export interface RangeInUse extends TimeRange {
  /** Numbers are asked for again and again, and the stream is open. */
  isLive: boolean;
  /** How often numbers are asked for; undefined: once. */
  everyMs: number | undefined;
  set(text: string): void;
  setLive(isLive: boolean): void;
}

/** The range of the page, which stands in the address: `?range=24h&live=off`. */
export function useRange(defaultPreset: Preset = '1h'): RangeInUse {
  const [search, setSearch] = useSearchParams();
  const nowMs = useNow(BUCKET_MS.MINUTE / 4);
  const range = readRange(search.get('range'), nowMs, defaultPreset);
  const isLive = range.preset !== undefined && search.get('live') !== 'off';
  return {
    ...range,
    isLive,
    everyMs: isLive ? (range.bucket === 'MINUTE' ? 10_000 : 60_000) : undefined,
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

function useNow(everyMs: number): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return nowMs;
}
