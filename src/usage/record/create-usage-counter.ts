import type { UsageBatch } from './store-batch.js';

export type UsageKind = 'request' | 'event' | 'decision';

/** Numbers since the start of the process: seen = stored + dropped + waiting, exactly. */
export interface UsageNumbers {
  seen: number;
  stored: number;
  dropped: number;
  /** Number in memory or in flight. */
  waiting: number;
}

export interface UsageCounter {
  see(kind: UsageKind): void;
  drop(kind: UsageKind): void;
  /** Counts all rows of the batch as stored or dropped. */
  settle(batch: UsageBatch, outcome: 'stored' | 'dropped'): void;
  /** Counts all waiting rows as dropped, because nothing more will be stored. */
  dropRest(): void;
  numbers(): Record<UsageKind, UsageNumbers>;
}

const KINDS = ['request', 'event', 'decision'] as const;

/** Counts the recorded, stored and dropped rows. */
export function createUsageCounter(): UsageCounter {
  const counts = {
    request: { seen: 0, stored: 0, dropped: 0 },
    event: { seen: 0, stored: 0, dropped: 0 },
    decision: { seen: 0, stored: 0, dropped: 0 },
  };

  function numbersOf(kind: UsageKind): UsageNumbers {
    const { seen, stored, dropped } = counts[kind];
    return { seen, stored, dropped, waiting: seen - stored - dropped };
  }

  return {
    see(kind) {
      counts[kind].seen++;
    },
    drop(kind) {
      counts[kind].dropped++;
    },
    settle(batch, outcome) {
      for (const kind of KINDS) counts[kind][outcome] += sizeOf(batch, kind);
    },
    dropRest() {
      for (const kind of KINDS) counts[kind].dropped = counts[kind].seen - counts[kind].stored;
    },
    numbers: () => ({ request: numbersOf('request'), event: numbersOf('event'), decision: numbersOf('decision') }),
  };
}

function sizeOf(batch: UsageBatch, kind: UsageKind): number {
  if (kind === 'request') return batch.totals.requests;
  return (kind === 'event' ? batch.events : batch.decisions).length;
}
