import { describe, expect, it } from 'vitest';
import { readGithub, readShopify } from '../../packages/client/src/presets.js';
import { readTollgate } from '../../packages/client/src/read-tollgate.js';

const http = (status: number, headers: Record<string, string> = {}) => ({
  status,
  header: (name: string) => headers[name] ?? null,
});
const throttleStatus = { maximumAvailable: 1000, currentlyAvailable: 40, restoreRate: 50 };
const bucket = { capacity: 1000, available: 40, restorePerSecond: 50 };
const throttled = { extensions: { code: 'THROTTLED', retryAfterMs: 1234, deniedBy: 'searches' } };

describe('budget reports of APIs', () => {
  it('readTollgate reads the budget of an admission and of a denial', () => {
    const cost = { requestedQueryCost: 90, actualQueryCost: 3, throttleStatus };
    expect(readTollgate({ extensions: { cost } })).toEqual({ requestedCost: 90, bucket });
    expect(readTollgate({ errors: [throttled], extensions: { cost } }, http(429))).toEqual({
      requestedCost: 90,
      bucket,
      denial: { retryAfterMs: 1234, deniedBy: 'searches' },
    });
  });

  it('readTollgate reads a denial from a server that could not decide, because that server ran no resolver', () => {
    const undecided = { extensions: { code: 'UNDECIDED', retryAfterMs: 1025, deniedBy: 'searches' } };
    expect(readTollgate({ errors: [undecided] }, http(503)).denial).toEqual({
      retryAfterMs: 1025,
      deniedBy: 'searches',
    });
  });

  it('readTollgate reads a denial from the status and Retry-After when the body has no known code', () => {
    expect(
      readTollgate({ errors: [{ extensions: { code: 'SLOW_DOWN' } }] }, http(429, { 'retry-after': '3' })),
    ).toEqual({
      requestedCost: undefined,
      bucket: undefined,
      denial: { retryAfterMs: 3000 },
    });
    expect(readTollgate(undefined, http(429)).denial).toEqual({ retryAfterMs: undefined });
    expect(readTollgate(undefined, http(500)).denial).toBeUndefined();
  });

  it('readTollgate ignores malformed cost reports', () => {
    for (const cost of [null, 7, 'x', [], { throttleStatus: 1 }, { throttleStatus: { maximumAvailable: 'a' } }]) {
      expect(readTollgate({ extensions: { cost } })).toEqual({ requestedCost: undefined, bucket: undefined });
    }
  });

  it('readShopify reads a denial with status 200 and computes the wait from the bucket', () => {
    const cost = { requestedQueryCost: 90, actualQueryCost: null, throttleStatus };
    expect(readShopify({ errors: [{ extensions: { code: 'THROTTLED' } }], extensions: { cost } }, http(200))).toEqual({
      requestedCost: 90,
      bucket,
      denial: { retryAfterMs: 1000 },
    });
    expect(readShopify({ extensions: { cost } }, http(200)).denial).toBeUndefined();
  });

  it('readGithub reads the primary and the secondary limit from the headers', () => {
    const left = { 'x-ratelimit-limit': '5000', 'x-ratelimit-remaining': '12' };
    expect(readGithub({}, http(200, left))).toEqual({ bucket: { capacity: 5000, available: 12, restorePerSecond: 0 } });
    const inTenSeconds = String(Math.ceil(Date.now() / 1000) + 10);
    const spent = { 'x-ratelimit-limit': '5000', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': inTenSeconds };
    const { retryAfterMs } = readGithub({ errors: [{ type: 'RATE_LIMITED' } as object] }, http(200, spent)).denial!;
    expect(retryAfterMs).toBeGreaterThan(8000);
    expect(retryAfterMs).toBeLessThanOrEqual(11_000);
    // The clock of a page may be hours off, and a page cannot read the date header of another
    // origin. With a date, the wait follows the server's clock; without it, the wait is limited to
    // a plausible range.
    const at = (resetMs: number, more = {}) =>
      readGithub({}, http(403, { ...spent, 'x-ratelimit-reset': String(Math.ceil(resetMs / 1000)), ...more })).denial;
    const hour = 3_600_000;
    expect(at(Date.now() - 2 * hour)).toEqual({ retryAfterMs: 60_000, isForAll: true });
    expect(at(Date.now() + 3 * hour)).toEqual({ retryAfterMs: hour, isForAll: true });
    const date = new Date(Date.now() + 3 * hour - 20_000).toUTCString();
    expect(at(Date.now() + 3 * hour, { date })!.retryAfterMs).toBeLessThan(25_000);
    expect(readGithub({}, http(403, { 'retry-after': '90' })).denial).toEqual({ retryAfterMs: 90_000, isForAll: true });
  });
});
