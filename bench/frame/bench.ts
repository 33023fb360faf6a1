/**
 * A benchmark: variants that do the same work, measured in interleaved rounds, each (variant, round) in a process of
 * its own. A file in `bench/` that exports one as `bench` is found by `npm run bench`; what it needs besides lies in
 * folders.
 */
export interface Bench {
  /** What is measured, in one sentence: the heading of its tables. */
  title: string;
  metrics: readonly Metric[];
  /** Each by its name, in the order of the tables. */
  variants: Readonly<Record<string, Variant>>;
  /** The variants that the others are put in proportion to; the first one is the named baseline. */
  baselines: readonly [string, ...string[]];
  /** Starts a fresh Redis for each (variant, round). @default false */
  redis?: boolean;
  /** @default 5 */
  rounds?: number;
}

export interface Metric {
  name: string;
  better: 'higher' | 'lower';
}

/**
 * Measures once, in a fresh process, and returns what it saw: scenario ("64 in flight") to metric to number. Every
 * variant gives the same metrics for a scenario; it may leave out a scenario that it cannot take part in.
 */
export type Variant = (conditions: Conditions) => Promise<Sample>;

export type Sample = Record<string, Record<string, number>>;

export interface Conditions {
  /** How long to measure each scenario, and to run it before that. */
  measureMs: number;
  warmUpMs: number;
  /** Where the fresh Redis listens; empty without `redis: true`. */
  redisUrl: string;
}
