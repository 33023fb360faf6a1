import { addUp, type BusySubject, noTraffic, REMEMBERED_MS, type TrafficNumbers } from './create-traffic-counter.js';
import { type HotCaller, sumOfHotCallers } from './hot-callers.js';
import type { ReportedPart } from './share-parts.js';

/** What all processes together decided since the sample before: each decision is in one sample. */
export interface TrafficSample extends TrafficNumbers {
  time: Date;
  /** How long it is since the sample before. */
  periodMs: number;
  /** The same of the last ten seconds, as far as it was watched: over these the callers are looked at. */
  recent: TrafficNumbers & { periodMs: number };
  /** How many processes it is the sum of. */
  processes: number;
  subjects: BusySubject[];
  hotCallers: HotCaller[];
}

/** What the processes have told, and the samples that are made of it. */
interface TrafficSamples {
  /** The first sample counts from here. */
  begin(): void;
  /** What another process counted before we heard of it belongs into no sample of ours. */
  hear(process: string, part: ReportedPart): void;
  take(): TrafficSample;
  forget(): void;
}

/** A process that is not heard of for so many samples is gone. */
export const GONE_AFTER = 3;

interface Process extends ReportedPart {
  /** Samples since it was heard of. */
  silentFor: number;
  /** Heard of once: what it has counted since is not known yet. */
  isNew: boolean;
  /** What of its totals is in the samples so far. */
  sampled: TrafficNumbers;
}

export function createTrafficSamples(): TrafficSamples {
  const processes = new Map<string, Process>();
  /** The samples of the last ten seconds. */
  const past: (TrafficNumbers & { periodMs: number })[] = [];
  let sampledMs = 0;

  return {
    begin() {
      sampledMs = performance.now();
    },
    hear(process, part) {
      const known = processes.get(process);
      const sampled = known?.sampled ?? part.totals;
      processes.set(process, { ...part, sampled, silentFor: 0, isNew: known === undefined });
    },
    take() {
      const nowMs = performance.now();
      for (const [name, process] of processes) {
        if (process.silentFor++ === GONE_AFTER) processes.delete(name);
      }
      const known = [...processes.values()].filter(({ isNew }) => !isNew);
      const numbers = newOf(known);
      const periodMs = Math.round(nowMs - sampledMs);
      sampledMs = nowMs;
      past.push({ ...numbers, periodMs });
      while (past.length > 1 && past.reduce((sum, one) => sum + one.periodMs, 0) > REMEMBERED_MS) past.shift();
      return {
        ...numbers,
        periodMs,
        recent: sumOf(past),
        time: new Date(),
        processes: known.length,
        subjects: addUp(known.flatMap((one) => one.subjects)),
        hotCallers: sumOfHotCallers(known.flatMap((one) => one.hot ?? [])),
      };
    },
    forget() {
      past.length = 0;
      processes.clear();
    },
  };
}

/** What processes have counted since they were sampled last. */
function newOf(processes: readonly Process[]): TrafficNumbers {
  const sum = noTraffic();
  for (const process of processes) {
    for (const name of NAMES) sum[name] += process.totals[name] - process.sampled[name];
    process.sampled = process.totals;
  }
  return sum;
}

function sumOf(samples: readonly (TrafficNumbers & { periodMs: number })[]) {
  const sum = { ...noTraffic(), periodMs: 0 };
  for (const sample of samples) {
    for (const name of NAMES) sum[name] += sample[name];
    sum.periodMs += sample.periodMs;
  }
  return sum;
}

const NAMES = Object.keys(noTraffic()) as (keyof TrafficNumbers)[];
