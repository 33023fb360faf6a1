import { openRegionStore, type RegionStore } from '../../../limiter/exchange/region-store.js';
import { parseRedisUrl } from '../../../limiter/redis/connect.js';
import { configOf, currentPercent, parseLedger, type RegionLedger } from '../../../limiter/regions/region-ledger.js';
import { DEFAULT_EXCHANGE_MS, DEFAULT_FLOOR, type RegionOptions } from '../../../model/region-mode.js';
import { type Finding, finding } from './finding.js';

/** Age of a ledger above which the check warns: several exchanges have not taken place. */
const LATE_MS = 5 * DEFAULT_EXCHANGE_MS;

/**
 * Checks the exchange between regions: the Redis of each region, its configured shares, and the
 * times of its last exchange and of the last read of counts.
 */
export async function checkRegions(region: RegionOptions, redisUrl: string): Promise<Finding[]> {
  const servers = { [region.name]: redisUrl, ...(region.redis as Record<string, string> | undefined) };
  const names = Object.keys(region.shares).filter((name) => servers[name] !== undefined);
  return Promise.all(names.map((name) => checkRegion(name, servers[name]!, region)));
}

async function checkRegion(name: string, url: string, region: RegionOptions): Promise<Finding> {
  const subject = `region ${name}`;
  const place = parseRedisUrl(url)
    .nodes.map(({ host, port }) => `${host}:${port}`)
    .join(', ');
  let state: Awaited<ReturnType<RegionStore['read']>>;
  let cursors: Awaited<ReturnType<RegionStore['cursors']>>;
  const store = openRegionStore(url, name);
  try {
    [state, cursors] = await Promise.all([store.read(0), store.cursors()]);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return finding('FAILURE', subject, `cannot read its share at ${place}: ${reason}; until then, no shares move`);
  } finally {
    await store.close();
  }
  const ledger = parseLedger(state.text);
  if (ledger === undefined) {
    return finding('WARNING', subject, `answers at ${place}, but has no share yet: start its instances`);
  }
  const late = Object.keys(cursors).find((other) => other in region.shares && cursors[other]!.ageMs > LATE_MS);
  if (late !== undefined) {
    const ago = secondsText(cursors[late]!.ageMs);
    const message = `has not read the counts of region ${late} for ${ago}: watched limits lack its operations; check its Redis, and the network`;
    return finding('WARNING', subject, message);
  }
  return judgeLedger(ledger, { subject, region, share: region.shares[name]!, ageMs: state.timeMs - ledger.atMs });
}

interface Judged {
  subject: string;
  region: RegionOptions;
  /** Configured share, in percent. */
  share: number;
  ageMs: number;
}

function judgeLedger(ledger: RegionLedger, { subject, region, share, ageMs }: Judged): Finding {
  const config = configOf(region, region.floor ?? DEFAULT_FLOOR);
  if (ledger.config !== config) {
    const message = `has other shares (${ledger.config}) than this instance (${config}): set the same in all regions`;
    return finding('FAILURE', subject, message);
  }
  const now = `uses ${share + currentPercent(ledger)} % instead of ${share} %`;
  const ago = `the last exchange was ${secondsText(ageMs)} ago`;
  if (ageMs > LATE_MS) return finding('WARNING', subject, `${now}, but ${ago}: check whether its instances run`);
  return finding('OK', subject, `${now}, and ${ago}`);
}

const secondsText = (ms: number) => `${(Math.max(0, ms) / 1000).toFixed(1)} s`;
