/**
 * A client of ioredis, a `Redis` or a `Cluster`, with the members that its users need. With this
 * type, a program without Redis compiles without the types of ioredis. Every ioredis client has
 * these members.
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
