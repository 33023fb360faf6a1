import { subjectOf } from '../decision/workload.js';
import type { Variant } from '../frame/bench.js';
import { ask } from './ask.js';
import { openShop, requestOf, serveShop } from './shop.js';

const BATCH = 100;
const RATE = 1000;

interface Decided {
  admitted: boolean;
  degraded: boolean;
}

/**
 * Measures the service over HTTP on the loopback address. The client runs in the same process, so
 * the numbers include its work.
 */
export const byHttp: Variant = async ({ redisUrl, warmUpMs }) => {
  const shop = await openShop(redisUrl);
  const { port, server } = await serveShop(shop);
  let call = 0;

  async function batch(): Promise<number> {
    const all = Array.from({ length: BATCH }, () => requestOf(subjectOf(call++)));
    const decided = (await ask(port, all)) as Decided[];
    if (!decided.every(({ admitted, degraded }) => admitted && !degraded))
      throw new Error('a decision was not made in Redis');
    return decided.length;
  }

  async function batches(durationMs: number) {
    const startedMs = performance.now();
    let done = 0;
    const lane = async () => {
      while (performance.now() - startedMs < durationMs) done += await batch();
    };
    await Promise.all([lane(), lane(), lane(), lane()]);
    return { 'decisions/s': (done / (performance.now() - startedMs)) * 1000 };
  }

  /** Sends single requests at a fixed rate, and measures the time from when each was due. */
  async function single(durationMs: number) {
    const startedMs = performance.now();
    const times: number[] = [];
    const pending: Promise<void>[] = [];
    const count = (durationMs / 1000) * RATE;
    for (let sent = 0; sent < count; ) {
      const due = Math.min(count, ((performance.now() - startedMs) / 1000) * RATE);
      for (; sent < due; sent++) {
        const dueMs = startedMs + (sent / RATE) * 1000;
        pending.push(ask(port, requestOf(subjectOf(call++))).then(() => void times.push(performance.now() - dueMs)));
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(pending);
    times.sort((a, b) => a - b);
    return { 'p99 ms': times[Math.floor(times.length * 0.99)]! };
  }

  return {
    warmUpMs: 4 * warmUpMs,
    run: { 'HTTP, batches of 100': batches, 'HTTP, 1,000 single requests/s': single },
    async close() {
      server.closeAllConnections();
      server.close();
      await shop.close();
    },
  };
};
