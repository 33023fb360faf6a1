/**
 * A client of ioredis: a `Redis` or a `Cluster`. The type contains only members that every client
 * of ioredis has. A program without Redis thus compiles without the types of ioredis.
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
