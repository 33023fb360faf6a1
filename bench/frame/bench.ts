/**
 * A benchmark: variants that do the same work, measured in interleaved rounds, each (variant, round) in a process of
 * its own: one after the other, or by turns. A file in `bench/` that exports one as `bench` is found by
 * `npm run bench`; what it needs besides lies in folders.
 */
export interface Bench {
  /** What is measured, in one sentence: the heading of its tables. */
  title: string;
  metrics: readonly Metric[];
  /** Each by its name, in the order of the tables. */
  variants: Readonly<Record<string, Variant>>;
  /** The variants that the others are put in proportion to; the first one is the named baseline. */
  baselines: readonly [string, ...string[]];
  /**
   * Starts a fresh Redis for each (variant, round), or a Cluster of three for the variants that say
   * so. @default false
   */
  redis?: boolean | Readonly<Record<string, 'one' | 'cluster'>>;
  /** @default 5 */
  rounds?: number;
  /** With `--quick`. @default 2 */
  quickRounds?: number;
  /** A variant that takes longer to measure, or to be ready, hangs, and is ended. @default 120000 */
  deadlineMs?: number;
}

export interface Metric {
  name: string;
  better: 'higher' | 'lower';
}

/**
 * In a fresh process: measures once, and returns what it saw, or returns what is measured by turns. Either
 * all variants of a bench do the one, or all do the other.
 */
export type Variant = (conditions: Conditions) => Promise<Sample | Runner>;

/**
 * Scenario ("64 in flight") to metric to number. Every variant gives the same metrics for a
 * scenario; it may leave out a scenario that it cannot take part in, and a metric that means
 * nothing there.
 */
export type Sample = Record<string, Record<string, number>>;

/**
 * One that can be measured again and again. The processes of all variants stand side by side, and
 * each scenario goes round them in turns of a fraction of a second, while the others idle: the
 * speed of a machine changes from one minute to the next by more than what is looked for, and less
 * from one turn to the next.
 */
export interface Runner {
  /** How long each scenario runs before its first turn: until V8 has compiled all of it. */
  warmUpMs: number;
  /** Each runs for about so long, and gives its metrics. */
  run: Readonly<Record<string, (durationMs: number) => Promise<Record<string, number>>>>;
  close(): Promise<unknown>;
}

export interface Conditions {
  /** How long to measure each scenario once, and to run it before that; what is run by turns is told by the frame. */
  measureMs: number;
  warmUpMs: number;
  /** Where the fresh Redis listens, or the nodes of the Cluster; empty without `redis`. */
  redisUrl: string;
}
