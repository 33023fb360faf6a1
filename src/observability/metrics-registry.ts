/**
 * A registry of prom-client, reduced to the members that the public types need. With a separate
 * type, a program without metrics compiles without the types of prom-client.
 */
export interface MetricsRegistry {
  readonly contentType: string;
  metrics(): Promise<string>;
  registerMetric(metric: never): void;
  getSingleMetric(name: string): unknown;
}
