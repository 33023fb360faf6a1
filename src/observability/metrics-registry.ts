/**
 * A registry of prom-client's, as far as its users have to know. A type of our own, so that a program without metrics needs
 * no types of prom-client to be compiled.
 */
export interface MetricsRegistry {
  readonly contentType: string;
  metrics(): Promise<string>;
  registerMetric(metric: never): void;
  getSingleMetric(name: string): unknown;
}
