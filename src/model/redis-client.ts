/**
 * A client of ioredis, a `Redis` or a `Cluster`, as far as its users have to know. A type of our own, so that a program
 * without a Redis needs no types of ioredis to be compiled: every client of it has these members.
 */
export interface RedisClient {
  readonly status: string;
  readonly isCluster: boolean;
  get(key: string): Promise<string | null>;
  set(key: string, value: string, unit: 'PX', ttlMs: number): Promise<unknown>;
  publish(channel: string, message: string): Promise<number>;
  quit(): Promise<unknown>;
  disconnect(): void;
}
