/**
 * A benchmark: variants that do the same work, measured in interleaved rounds. Each (variant,
 * round) has its own process; the processes run one after the other or in turns. `npm run bench`
 * finds each file in `bench/` that exports a `bench`. Helper modules are in folders.
 */
export interface Bench {
  /** Description of the measurement in one sentence: the heading of its tables. */
  title: string;
  metrics: readonly Metric[];
  /** Variants by name, in the order of the tables. */
  variants: Readonly<Record<string, Variant>>;
  /** Variants to which the others are compared. The first one is the named baseline. */
  baselines: readonly [string, ...string[]];
  /**
   * Whether each (variant, round) gets a fresh Redis. A record gives the kind of each variant: one
   * Redis, or a Cluster of three. @default false
   */
  redis?: boolean | Readonly<Record<string, 'one' | 'cluster'>>;
  /** @default 5 */
  rounds?: number;
  /** Number of rounds with `--quick`. @default 2 */
  quickRounds?: number;
  /**
   * Deadline for one measurement, or for the start of a variant. The frame stops a variant that
   * exceeds it. @default 120000
   */
  deadlineMs?: number;
}

export interface Metric {
  name: string;
  better: 'higher' | 'lower';
}

/**
 * Runs in a fresh process. Measures once and returns the sample, or returns a runner that is
 * measured in turns. All variants of a benchmark must use the same form.
 */
export type Variant = (conditions: Conditions) => Promise<Sample | Runner>;

/**
 * Numbers by scenario ("64 in flight") and metric. All variants give the same metrics for a
 * scenario. A variant may leave out a scenario that it does not support, and a metric that has no
 * meaning there.
 */
export type Sample = Record<string, Record<string, number>>;

/**
 * A variant that can be measured repeatedly. The processes of all variants exist at the same time.
 * Each scenario visits them in turns of a fraction of a second, while the others idle. The speed of
 * a machine changes more from minute to minute than the differences to be measured, but less from
 * turn to turn.
 */
export interface Runner {
  /**
   * Warm-up of each scenario before its first turn, in milliseconds: until V8 has compiled all of
   * it.
   */
  warmUpMs: number;
  /** Functions by scenario. Each runs for about `durationMs` and resolves to its metrics. */
  run: Readonly<Record<string, (durationMs: number) => Promise<Record<string, number>>>>;
  close(): Promise<unknown>;
}

export interface Conditions {
  /**
   * Duration of the measurement of each scenario, and of its warm-up, for variants that measure
   * once. For a runner the frame sets the durations.
   */
  measureMs: number;
  warmUpMs: number;
  /** URL of the fresh Redis or of the nodes of the Cluster. Empty without `redis`. */
  redisUrl: string;
}
