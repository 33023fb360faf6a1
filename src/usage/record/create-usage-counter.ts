import type { UsageBatch } from './store-batch.js';

export type UsageKind = 'request' | 'event' | 'decision';

/** Since the process started: seen = stored + dropped + waiting, exactly. */
export interface UsageNumbers {
  seen: number;
  stored: number;
  dropped: number;
  /** In memory, or on the way. */
  waiting: number;
}

export interface UsageCounter {
  see(kind: UsageKind): void;
  drop(kind: UsageKind): void;
  /** All of the batch was stored, or was dropped. */
  settle(batch: UsageBatch, outcome: 'stored' | 'dropped'): void;
  /** Nothing more will be stored. */
  dropRest(): void;
  numbers(): Record<UsageKind, UsageNumbers>;
}

const KINDS = ['request', 'event', 'decision'] as const;

/** Counts what becomes of all that is to be stored. */
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
