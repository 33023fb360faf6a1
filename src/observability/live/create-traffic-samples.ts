import {
  addUp,
  type BusySubject,
  type IntegrationTraffic,
  noTraffic,
  REMEMBERED_MS,
  type TrafficNumbers,
} from './create-traffic-counter.js';
import { type HotCaller, sumOfHotCallers } from './hot-callers.js';
import type { ReportedPart } from './share-parts.js';

/** Decisions of all processes since the previous sample. No decision is in two samples. */
export interface TrafficSample extends TrafficNumbers {
  time: Date;
  /** Time since the previous sample, in milliseconds. */
  periodMs: number;
  /**
   * Sum of the samples of the last ten seconds, or since the subscription began if that is later.
   * `subjects` and `integrations` cover the same period.
   */
  recent: TrafficNumbers & { periodMs: number };
  /** Number of processes in the sample. */
  processes: number;
  subjects: BusySubject[];
  /** Part of `recent` that other servers asked for. */
  integrations: IntegrationTraffic[];
  hotCallers: HotCaller[];
}

/** The reports of the processes, and the samples that are derived from them. */
interface TrafficSamples {
  /** Starts the period of the first sample. */
  begin(): void;
  /**
   * Receives a report. Decisions that a process counted before its first report are in no sample.
   */
  receive(process: string, part: ReportedPart): void;
  take(): TrafficSample;
  forget(): void;
}

/** Number of samples without a report after which a process is considered gone. */
export const GONE_AFTER = 3;

interface Process extends ReportedPart {
  /** Number of samples since the last report. */
  silentFor: number;
  /** Whether the process has sent only one report, so that no difference can be computed yet. */
  isNew: boolean;
  /** Part of the totals that is already in samples. */
  sampled: TrafficNumbers;
  sampledIntegrations: readonly IntegrationTraffic[];
}

type PastSample = TrafficNumbers & { periodMs: number; integrations: IntegrationTraffic[] };

export function createTrafficSamples(): TrafficSamples {
  const processes = new Map<string, Process>();
  /** Samples of the last ten seconds. */
  const past: PastSample[] = [];
  let sampledMs = 0;

  return {
    begin() {
      sampledMs = performance.now();
    },
    receive(process, part) {
      const known = processes.get(process);
      const sampled = known?.sampled ?? part.totals;
      const sampledIntegrations = known?.sampledIntegrations ?? part.integrations ?? [];
      processes.set(process, { ...part, sampled, sampledIntegrations, silentFor: 0, isNew: known === undefined });
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
      past.push({ ...numbers, periodMs, integrations: newByIntegration(known) });
      while (past.length > 1 && past.reduce((sum, one) => sum + one.periodMs, 0) > REMEMBERED_MS) past.shift();
      return {
        ...numbers,
        periodMs,
        recent: sumOf(past),
        time: new Date(),
        processes: known.length,
        integrations: sumByIntegration(past.flatMap(({ integrations }) => integrations)),
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

/** Returns the sum of the numbers that the processes counted since the previous sample. */
function newOf(processes: readonly Process[]): TrafficNumbers {
  const sum = noTraffic();
  for (const process of processes) {
    for (const name of NAMES) sum[name] += process.totals[name] - process.sampled[name];
    process.sampled = process.totals;
  }
  return sum;
}

/** Returns the differences by integration since the previous sample. */
function newByIntegration(processes: readonly Process[]): IntegrationTraffic[] {
  return processes.flatMap((process) => {
    const { integrations = [], sampledIntegrations: before } = process;
    process.sampledIntegrations = integrations;
    return integrations.map((now) => {
      const known = before.find(({ integration }) => integration === now.integration);
      const { integration, decisions, denied, cost } = now;
      return {
        integration,
        decisions: decisions - (known?.decisions ?? 0),
        denied: denied - (known?.denied ?? 0),
        cost: cost - (known?.cost ?? 0),
      };
    });
  });
}

function sumByIntegration(entries: readonly IntegrationTraffic[]): IntegrationTraffic[] {
  const sums = new Map<string, IntegrationTraffic>();
  for (const { integration, decisions, denied, cost } of entries) {
    const sum = sums.get(integration) ?? { integration, decisions: 0, denied: 0, cost: 0 };
    sum.decisions += decisions;
    sum.denied += denied;
    sum.cost += cost;
    sums.set(integration, sum);
  }
  return [...sums.values()];
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
