import { randomBytes } from 'node:crypto';
import { type LimitParameters, wholeLimitOf } from '../../model/limit-parameters.js';
import type { RedisClient } from '../../model/redis-client.js';
import { DEFAULT_EXCHANGE_MS, DEFAULT_FLOOR, type RegionMode, type RegionOptions } from '../../model/region-mode.js';
import { type Clock, monotonicClock } from '../../runtime/clock.js';
import { poll } from '../../runtime/poll.js';
import { withTimeout } from '../../runtime/with-timeout.js';
import { longestWaitMs } from '../redis/deadlines.js';
import type { MovedShares } from '../regions/moved-shares.js';
import {
  configOf,
  nextLedger,
  type OtherLedger,
  parseLedger,
  type RegionLedger,
  usablePercent,
} from '../regions/region-ledger.js';
import { type AddCount, type CountExchange, createCountExchange } from './count-exchange.js';
import { openRegionStore, type RegionStore } from './region-store.js';

type CountedLimit = LimitParameters & { cost: number; regionMode?: RegionMode };

/** Moves shares of limits between regions by demand. */
export interface RegionExchange extends MovedShares {
  /**
   * Counts the demand of an admitted operation: the parts of the whole limits that it used. Denied
   * operations do not count. Otherwise, a flood in one region would take the shares of the others.
   */
  count(limits: readonly CountedLimit[]): void;
  /** Returns whether the counts of one of these limits are exchanged. */
  watches(limits: readonly CountedLimit[]): boolean;
  /** Starts to exchange counts. @param add adds a count of another region */
  openCounts(add: AddCount): CountExchange;
  /** Reads the ledgers, and moves shares if they differ from the demand. Rejects if Redis fails. */
  exchange(): Promise<void>;
  /** Returns the share that this instance uses now. */
  state(): RegionShareState;
  /** Resolves when the share was read for the first time, or could not be read. */
  readonly opened: Promise<void>;
  close(): Promise<void>;
}

/** Share of a region as one instance uses it. */
export interface RegionShareState {
  region: string;
  /** Share of new limits, in percent. */
  percent: number;
  /** Time since this instance has read the share, in milliseconds; Infinity if it has not. */
  ageMs: number;
  /** Whether the share was not read for two intervals, so that this instance uses the smallest one. */
  isLate: boolean;
}

interface RegionExchangeOptions {
  region: RegionOptions & { redis: NonNullable<RegionOptions['redis']> };
  redis: RedisClient | string;
  deadlineMs: number;
  /** Clock in epoch milliseconds that replaces the clock of Redis, for tests. */
  now: (() => number) | undefined;
  /** Receives a region whose Redis no longer replies, or replies again. */
  onRegionChanged?: ((region: string, isReachable: boolean) => void) | undefined;
}

export function createRegionExchange({
  region,
  redis,
  deadlineMs,
  now,
  onRegionChanged = () => {},
}: RegionExchangeOptions): RegionExchange {
  const { floor = DEFAULT_FLOOR, exchangeMs = DEFAULT_EXCHANGE_MS } = region;
  const instance = randomBytes(9).toString('base64url');
  const config = configOf(region, floor);
  const own = openRegionStore(redis, region.name);
  const others = Object.entries(region.redis).map(([name, where]) => [name, openRegionStore(where, name)] as const);
  const clock: Clock = now ?? monotonicClock;
  /** Time after which this instance no longer uses a share that it could not read again. */
  const staleMs = 2 * exchangeMs;
  // A call that was sent with the old share may take as long as a decision waits for it.
  const adoptedAfterMs = staleMs + exchangeMs + longestWaitMs(deadlineMs);
  const atFloor = floor - region.shares[region.name]!;
  let ledger: RegionLedger | undefined;
  /** Time at which the ledger was requested, and the time of Redis in its reply. */
  let readAtMs = Number.NEGATIVE_INFINITY;
  let redisMs = 0;
  let demand = 0;
  const unreachable = new Set<string>();

  /** Reads the ledger of this region, and adds the demand since the last time. */
  async function readOwn() {
    const startedMs = clock();
    const added = demand;
    demand = 0;
    const state = await own.read(added).catch((error: unknown) => {
      demand += added;
      throw error;
    });
    const read = state.text === '' ? undefined : parseLedger(state.text);
    ledger = read?.config === config ? read : undefined;
    readAtMs = startedMs;
    redisMs = now?.() ?? state.timeMs;
    return { ...state, ledger: read };
  }

  function noteReachable(name: string, isReachable: boolean): void {
    if (unreachable.has(name) !== isReachable) return;
    if (isReachable) unreachable.delete(name);
    else unreachable.add(name);
    onRegionChanged(name, isReachable);
  }

  async function exchange(): Promise<void> {
    const before = await readOwn();
    if (!(await own.lead(instance, staleMs))) return;
    const read = await Promise.all(
      others.map(async ([name, store]) => [name, await readOther(store, exchangeMs / 2)] as const),
    );
    for (const [name, other] of read) noteReachable(name, other !== undefined);
    const next = nextLedger({
      region,
      floor,
      own: before.ledger,
      others: Object.fromEntries(read),
      demand: before.demand,
      nowMs: now?.() ?? before.timeMs,
      adoptedAfterMs,
    });
    if (await own.replace(before.text, JSON.stringify(next))) ledger = next;
  }

  const opened = exchange().catch(() => {});
  const stop = poll(
    () => exchange().catch(() => {}),
    () => exchangeMs * (0.8 + Math.random() * 0.4),
  );

  function movedPercent(memoryMs: number): number {
    const elapsedMs = clock() - readAtMs;
    if (ledger === undefined || elapsedMs > staleMs) return atFloor;
    return usablePercent(ledger.past, memoryMs, redisMs + elapsedMs);
  }

  return {
    floor,
    opened,
    exchange,
    count(limits) {
      for (const limit of limits) {
        if ((limit.regionMode ?? region.tierMode) === 'SPLIT') demand += limit.cost / wholeLimitOf(limit);
      }
    },
    watches: (limits) => limits.some((limit) => (limit.regionMode ?? region.tierMode) === 'WATCH'),
    openCounts: (add) =>
      createCountExchange({
        region: region.name,
        instance,
        own,
        others,
        lead: () => own.lead(instance, staleMs),
        add,
        exchangeMs,
        clock,
      }),
    movedPercent,
    state: () => ({
      region: region.name,
      percent: region.shares[region.name]! + movedPercent(0),
      ageMs: clock() - readAtMs,
      isLate: clock() - readAtMs > staleMs,
    }),
    async close() {
      await stop();
      await Promise.all([own, ...others.map(([, store]) => store)].map((store) => store.close()));
    },
  };
}

/**
 * Resolves to the ledger of another region; undefined if its Redis does not reply in time. A region
 * that is cut off must still read its own share often enough to keep it.
 */
async function readOther(store: RegionStore, timeoutMs: number): Promise<OtherLedger> {
  try {
    const state = await withTimeout(store.read(0), timeoutMs, () => undefined);
    if (state === undefined) return undefined;
    return state.text === '' ? 'ABSENT' : parseLedger(state.text);
  } catch {
    return undefined;
  }
}
