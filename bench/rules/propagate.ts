import { Redis } from 'ioredis';
import { createPgDb } from '../../src/postgres/create-pg-db.js';
import { migrate } from '../../src/postgres/migrate.js';
import { type LiveRules, startLiveRules } from '../../src/rules/live/live-rules.js';
import type { Actor } from '../../src/rules/store/create-change-log.js';
import { createRulesStore, type RulesStore } from '../../src/rules/store/rules-store.js';
import type { Variant } from '../frame/bench.js';
import { startSeeded } from './seed.js';

export const METRICS = [
  { name: 'p50 ms', better: 'lower' },
  { name: 'p99 ms', better: 'lower' },
] as const;

const ADMIN: Actor = { name: 'bench', authMethod: 'SYSTEM' };

/**
 * Measures the time from the request of a change at one instance until another instance applies the
 * change. Each instance has its own connections. With `message`, the first instance publishes the
 * number of the change. Without it, the other instance finds the change by polling every second.
 */
export function propagate({ rules, message }: { rules: number; message: boolean }): Variant {
  return async ({ redisUrl, measureMs }) => {
    const server = await startSeeded({ rules, subjects: 1000 });
    const closers: (() => unknown)[] = [() => server.stop()];
    async function start(): Promise<{ live: LiveRules; store: RulesStore }> {
      const db = await createPgDb({ url: server.url });
      const redis = message ? new Redis(redisUrl) : undefined;
      const store = createRulesStore(db);
      const live = await startLiveRules({ db, store, redis, prepare: async () => void (await migrate(db)) });
      closers.push(
        () => db.close(),
        () => redis?.disconnect(),
        () => live.close(),
      );
      return { live, store };
    }
    try {
      const here = await start();
      const there = await start();
      const times: number[] = [];
      const endMs = performance.now() + Math.max(measureMs, message ? 0 : 5000);
      for (let change = 0; performance.now() < endMs || times.length < 5; change++) {
        const startedMs = performance.now();
        const writing = here.store.updateTier({ name: 'tier-0', capacity: 1_000_000 + change }, ADMIN);
        while (there.live.ruleset().tier('tier-0').capacity !== 1_000_000 + change) {
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
        times.push(performance.now() - startedMs);
        await writing;
      }
      times.sort((a, b) => a - b);
      const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))]!;
      return { 'a tier is changed': { 'p50 ms': at(0.5), 'p99 ms': at(0.99) } };
    } finally {
      for (const close of closers.reverse()) await close();
    }
  };
}
