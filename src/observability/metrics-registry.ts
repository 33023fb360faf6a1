/**
 * A registry of prom-client, reduced to the members that the public types need. Because of this
 * type, a program without metrics compiles even if prom-client is not installed.
 */
export interface MetricsRegistry {
  readonly contentType: string;
  metrics(): Promise<string>;
  registerMetric(metric: never): void;
  getSingleMetric(name: string): unknown;
}
