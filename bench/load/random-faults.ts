import type { Fault } from '../../test/helpers/tcp-proxy.js';
import type { Parts } from './parts.js';

/** Temporary faults while the platform is under load. */
export interface RandomFaults {
  /** Ends the current fault, then resolves to the number of faults of each kind. */
  stop(): Promise<Record<string, number>>;
}

export interface RandomFaultsOptions {
  parts: Parts;
  /** Seed of the sequence. The same seed gives the same faults in the same order. */
  seed: number;
  /** Average time from the end of a fault to the next one, in milliseconds. */
  everyMs: number;
  /** Maximum duration of a fault, in milliseconds. */
  lastsMs: number;
}

interface Trouble {
  name: string;
  begin(): Promise<unknown>;
  end(): Promise<unknown>;
}

/** Starts one fault after the other. Each fault ends before the next one starts. */
export function startRandomFaults({ parts, seed, everyMs, lastsMs }: RandomFaultsOptions): RandomFaults {
  const troubles = troublesOf(parts);
  const random = createRandom(seed);
  const counts: Record<string, number> = {};
  const stopping = new AbortController();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await sleep(everyMs * (0.5 + random()), stopping.signal);
      if (stopping.signal.aborted) return;
      const trouble = troubles[Math.floor(random() * troubles.length)]!;
      counts[trouble.name] = (counts[trouble.name] ?? 0) + 1;
      await trouble.begin();
      await sleep(lastsMs * (0.2 + 0.8 * random()), stopping.signal);
      await trouble.end();
    }
  }

  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
      return counts;
    },
  };
}

function troublesOf(parts: Parts): Trouble[] {
  const { toRedis, toPostgres, pids, store } = parts;
  const heal = { kind: 'pass' } as const;
  const onRedis = (name: string, fault: Fault): Trouble => ({
    name: `Redis ${name}`,
    begin: () => toRedis.set(fault),
    end: () => toRedis.set(heal),
  });
  const onPostgres = (name: string, fault: Fault): Trouble => ({
    name: `PostgreSQL ${name}`,
    begin: () => toPostgres.set(fault),
    end: () => toPostgres.set(heal),
  });
  const frozen = pids['Redis'];
  return [
    onRedis('slow by 10 ms', { kind: 'delay', ms: 10 }),
    onRedis('slow by 200 ms', { kind: 'delay', ms: 200 }),
    onRedis('a black hole', { kind: 'black-hole' }),
    onRedis('half open', { kind: 'half-open' }),
    onRedis('resets', { kind: 'reset' }),
    onRedis('refuses', { kind: 'refuse' }),
    onRedis('loses replies', { kind: 'drop-replies', count: 20, to: 'evalsha', seenAs: 'reset' }),
    ...(frozen === undefined
      ? []
      : [
          {
            name: 'Redis frozen',
            begin: async () => process.kill(frozen, 'SIGSTOP'),
            end: async () => process.kill(frozen, 'SIGCONT'),
          },
        ]),
    onPostgres('refuses', { kind: 'refuse' }),
    onPostgres('a black hole', { kind: 'black-hole' }),
    onPostgres('resets', { kind: 'reset' }),
    {
      name: 'a tier changed',
      begin: () => store.updateTier({ name: 'free', capacity: 1001 }, ACTOR),
      end: () => store.updateTier({ name: 'free', capacity: 1000 }, ACTOR),
    },
  ];
}

const ACTOR = { name: 'soak', authMethod: 'SYSTEM' as const };

/** Returns a pseudo-random number generator (mulberry32) of numbers from 0 to 1. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Waits for the time, or until the signal is aborted. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}
