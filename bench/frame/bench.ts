import type { Machine } from './machine.js';
import type { BenchResult } from './run-bench.js';

/**
 * A benchmark: variants that do the same work, measured in interleaved rounds. Each variant has a
 * new process in each round. The processes run one after the other, or in turns. `npm run bench`
 * finds each file in `bench/` that exports a `bench`. Helper modules are in folders.
 */
export interface Bench {
  /** Description of the measurement in one sentence: the heading of its tables. */
  title: string;
  metrics: readonly Metric[];
  /** Variants by name, in the order of the tables. */
  variants: Readonly<Record<string, Variant>>;
  /** Variants with which the other variants are compared. */
  baselines: readonly [string, ...string[]];
  /**
   * Whether each variant has a new Redis in each round. A record sets the kind for each variant:
   * one Redis, or a Cluster of three primaries. @default false
   */
  redis?: boolean | Readonly<Record<string, 'one' | 'cluster'>>;
  /** @default 5 */
  rounds?: number;
  /** Number of rounds with `--quick`. @default 2 */
  quickRounds?: number;
  /**
   * Deadline in milliseconds for the sample of a variant that measures once, or for the start of a
   * runner. The frame stops a variant that exceeds it. @default 120000
   */
  deadlineMs?: number;
  /** Writes the result into the repository. It runs only with `--write`. @default nothing is written */
  write?: (result: BenchResult, machine: Machine) => void;
}

export interface Metric {
  name: string;
  better: 'higher' | 'lower';
}

/**
 * Runs in a new process. Either measures once and returns the sample, or returns a runner that the
 * frame measures in turns. All variants of a benchmark must use the same form.
 */
export type Variant = (conditions: Conditions) => Promise<Sample | Runner>;

/**
 * Numbers by scenario ("64 in flight") and metric. All variants have the same metrics for a
 * scenario. A variant may omit scenarios that it does not support, and metrics that have no meaning
 * for it.
 */
export type Sample = Record<string, Record<string, number>>;

/**
 * A variant that can be measured repeatedly. The processes of all variants exist at the same time.
 * For each scenario, the variants run in turns of a fraction of a second. While one variant runs,
 * the others are idle. Within minutes, the speed of a machine changes by more than the differences
 * to be measured. Between two turns, it changes less.
 */
export interface Runner {
  /**
   * Warm-up of each scenario before its first turn, in milliseconds. It must be long enough for V8
   * to compile all code.
   */
  warmUpMs: number;
  /** Functions by scenario. Each runs for about `durationMs` and resolves to its metrics. */
  run: Readonly<Record<string, (durationMs: number) => Promise<Record<string, number>>>>;
  close(): Promise<unknown>;
}

export interface Conditions {
  /**
   * Duration of the measurement of each scenario in milliseconds, for variants that measure once.
   * A runner gets the duration of each turn as an argument instead.
   */
  measureMs: number;
  /** Usual duration of the warm-up in milliseconds. Many variants need a multiple of it. */
  warmUpMs: number;
  /**
   * URL of the new Redis, or of the nodes of the Cluster. Empty if the benchmark needs no Redis.
   */
  redisUrl: string;
}
