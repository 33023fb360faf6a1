import { setTimeout as waitMs } from 'node:timers/promises';
import type { Metric, Runner, Variant } from '../frame/bench.js';
import { heapBytes } from '../frame/heap-bytes.js';
import { wholeNumber } from '../load/whole-number.js';
import { monotonicMs } from './monotonic-ms.js';
import { type Protection, type ServedStreams, serveStreams } from './serve-streams.js';
import { type Subscribers, startSubscribers } from './subscribers.js';

export const METRICS: readonly Metric[] = [
  { name: 'kB', better: 'lower' },
  { name: 'resident kB', better: 'lower' },
  { name: 'events/s', better: 'higher' },
  { name: 'p50 ms', better: 'lower' },
  { name: 'p99 ms', better: 'lower' },
  { name: 'CPU us', better: 'lower' },
];

const IDLE = wholeNumber('IDLE', process.env['IDLE'], { fallback: 10_000, max: 18_000 });
const TALKING = wholeNumber('TALKING', process.env['TALKING'], { fallback: 1000, max: 5000 });
const RATE_PER_SECOND = 2000;
/** Number of events per talking subscription that are on their way at the same time. */
const ROUNDS_IN_FLIGHT = 2;

/**
 * Measures a server with idle and talking subscriptions. The idle ones stay open while the others
 * talk.
 */
export function measureStreams(protection: Protection): Variant {
  return async ({ warmUpMs, redisUrl }): Promise<Runner> => {
    const served = await serveStreams(protection, redisUrl);
    const subscribers = startSubscribers();
    const { url } = served;
    // These subscriptions load and compile the code, whose memory must not be measured.
    await subscribers.open({ url, first: -500, last: -1 });
    await served.opened(500);
    await subscribers.closeAll();
    await served.opened(0);
    const idle = await measureIdle(async () => {
      await subscribers.open({ url, first: -IDLE, last: -1 });
      await served.opened(IDLE);
    });
    await subscribers.open({ url, first: 0, last: TALKING - 1 });
    await served.opened(IDLE + TALKING);
    const talking = `${TALKING.toLocaleString('en')} talking`;
    return {
      warmUpMs: 4 * warmUpMs,
      run: {
        [`${IDLE.toLocaleString('en')} idle, each`]: async () => idle,
        [`${talking}, ${RATE_PER_SECOND.toLocaleString('en')} events/s`]: (durationMs) =>
          measureCpu(() => publishAtRate(served, subscribers, durationMs)),
        [`${talking}, as fast as they receive`]: (durationMs) =>
          measureCpu(() => publishInRounds(served, subscribers, durationMs)),
      },
      async close() {
        subscribers.stop();
        await served.close();
      },
    };
  };
}

/** Measures the memory of one idle subscription: on the heap, and as the system counts it. */
async function measureIdle(open: () => Promise<void>): Promise<Record<string, number>> {
  const before = { heap: heapBytes(), resident: process.memoryUsage.rss() };
  await open();
  const heap = heapBytes() - before.heap;
  const resident = process.memoryUsage.rss() - before.resident;
  return { kB: heap / 1000 / IDLE, 'resident kB': resident / 1000 / IDLE };
}

async function measureCpu(
  publish: () => Promise<{ events: number; [metric: string]: number }>,
): Promise<Record<string, number>> {
  const before = process.cpuUsage();
  const startMs = monotonicMs();
  const { events, ...metrics } = await publish();
  const { user, system } = process.cpuUsage(before);
  return { ...metrics, 'events/s': (events * 1000) / (monotonicMs() - startMs), 'CPU us': (user + system) / events };
}

/** Publishes at a fixed rate. A delay begins when its event was due. */
async function publishAtRate({ publish }: ServedStreams, subscribers: Subscribers, durationMs: number) {
  const events = Math.max(1, Math.round((RATE_PER_SECOND * durationMs) / 1000));
  const startMs = monotonicMs();
  const received = subscribers.received(events);
  const dueMs = (event: number) => startMs + (event * 1000) / RATE_PER_SECOND;
  for (let event = 0; event < events; await waitMs(1)) {
    for (; event < events && dueMs(event) <= monotonicMs(); event++) publish(event % TALKING, dueMs(event));
  }
  const { p50Ms, p99Ms } = await received;
  return { events, 'p50 ms': p50Ms, 'p99 ms': p99Ms };
}

/** Publishes the next event of each subscription as soon as all have received an earlier one. */
async function publishInRounds({ publish }: ServedStreams, subscribers: Subscribers, durationMs: number) {
  const endMs = monotonicMs() + durationMs;
  const publishRound = () => {
    for (let talker = 0; talker < TALKING; talker++) publish(talker, monotonicMs());
  };
  let rounds = 0;
  for (; rounds < ROUNDS_IN_FLIGHT - 1; rounds++) publishRound();
  for (; monotonicMs() < endMs; rounds++) {
    publishRound();
    await subscribers.received(TALKING);
  }
  await subscribers.received(TALKING * (ROUNDS_IN_FLIGHT - 1));
  return { events: rounds * TALKING };
}
