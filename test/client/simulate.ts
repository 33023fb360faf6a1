import type { BudgetReport } from '../../packages/client/src/budget-report.js';
import { createPacer, type Pacer, type PacerOptions } from '../../packages/client/src/pacer.js';

// A world with simulated time: a token bucket on a server, a network with latency, and clients in
// several processes.

export interface World {
  readonly nowMs: number;
  at(timeMs: number, action: () => void): () => void;
  wait(delayMs: number): Promise<void>;
  /** Runs until that time, one event after the other. */
  runUntil(timeMs: number): Promise<void>;
}

export function createWorld(): World {
  const events: { timeMs: number; order: number; action: () => void }[] = [];
  let nowMs = 0;
  let order = 0;
  const world: World = {
    get nowMs() {
      return nowMs;
    },
    at(timeMs, action) {
      const event = { timeMs: Math.max(timeMs, nowMs), order: order++, action };
      let low = 0;
      let high = events.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (events[middle]!.timeMs <= event.timeMs) low = middle + 1;
        else high = middle;
      }
      events.splice(low, 0, event);
      return () => {
        const index = events.indexOf(event);
        if (index !== -1) events.splice(index, 1);
      };
    },
    wait: (delayMs) => new Promise((resolve) => world.at(nowMs + delayMs, resolve)),
    async runUntil(timeMs) {
      await settlePromises();
      while (events.length > 0 && events[0]!.timeMs <= timeMs) {
        const event = events.shift()!;
        nowMs = event.timeMs;
        event.action();
        // Continuations of promises that the action started run at the time of the action.
        await settlePromises();
      }
      nowMs = timeMs;
    },
  };
  return world;
}

/** Waits for one turn of the event loop, in which all promise continuations run. */
function settlePromises(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

export interface SimulatedApi {
  capacity: number;
  restorePerSecond: number;
  readonly sent: number;
  readonly denied: number;
  readonly spent: number;
  readonly available: number;
  /** Charges an operation that arrives now. */
  arrive(price: number, actual?: number): BudgetReport;
}

export function createApi(
  world: World,
  { capacity, restorePerSecond }: { capacity: number; restorePerSecond: number },
): SimulatedApi {
  let available = capacity;
  let atMs = world.nowMs;
  const api = {
    capacity,
    restorePerSecond,
    sent: 0,
    denied: 0,
    spent: 0,
    get available() {
      available = Math.min(api.capacity, available + ((world.nowMs - atMs) * api.restorePerSecond) / 1000);
      atMs = world.nowMs;
      return available;
    },
    arrive(price: number, actual = price): BudgetReport {
      api.sent++;
      const there = api.available;
      const bucket = (left: number) => ({
        capacity: api.capacity,
        available: Math.floor(left),
        restorePerSecond: api.restorePerSecond,
      });
      if (there < price) {
        api.denied++;
        const retryAfterMs = ((price - there) / api.restorePerSecond) * 1000;
        return { requestedCost: price, bucket: bucket(there), denial: { retryAfterMs, deniedBy: 'bucket' } };
      }
      available -= actual;
      api.spent += actual;
      return { requestedCost: price, bucket: bucket(available) };
    },
  };
  return api;
}

/** Creates the client of a separate process: its pacer knows nothing of the others. */
export function createClient(world: World, options: Partial<PacerOptions> = {}): Pacer {
  return createPacer({
    now: () => world.nowMs,
    setTimer: (callback, delayMs) => world.at(world.nowMs + delayMs, callback),
    random: () => 0.5,
    ...options,
  });
}

/** Sends an operation through a network that delays the request and the response by `latencyMs`. */
export async function send(
  { world, api, pacer }: { world: World; api: SimulatedApi; pacer: Pacer },
  {
    key,
    price,
    actual,
    latencyMs = 20,
    priority,
  }: { key: string; price: number; actual?: number; latencyMs?: number; priority?: number },
): Promise<BudgetReport> {
  return pacer.run({ key, priority }, async () => {
    await world.wait(latencyMs);
    const report = api.arrive(price, actual);
    await world.wait(latencyMs);
    return { result: report, report };
  });
}
