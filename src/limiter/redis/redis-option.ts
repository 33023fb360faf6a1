import type { RedisClient } from '../../model/redis-client.js';
import { describeValue } from '../../options/describe-value.js';
import type { OptionCheck } from '../../options/find-mistakes.js';
import { parseRedisUrl } from './connect.js';

const EXPECTED = 'expected a URL such as redis://127.0.0.1:6379, or a client of ioredis';

/**
 * Checks a Redis option: a URL or a client of ioredis. No message shows the URL, because it may
 * hold a password.
 */
export const redisOption: OptionCheck<RedisClient | string> = {
  *find(value, place) {
    if (typeof value === 'string') yield* findUrlMistakes(value, place);
    else if (!isClient(value)) yield `${place}: ${EXPECTED}, got ${whatCame(value)}`;
  },
};

function* findUrlMistakes(url: string, place: string): Iterable<string> {
  try {
    parseRedisUrl(url);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    yield error.message.replace(/^redis:/, `${place}:`);
  }
}

function isClient(value: unknown): boolean {
  const { status, isCluster } = (value ?? {}) as Partial<RedisClient>;
  return typeof status === 'string' && typeof isCluster === 'boolean';
}

function whatCame(value: unknown): string {
  const { isOpen, host, port, url } = (value ?? {}) as Record<string, unknown>;
  if (typeof isOpen === 'boolean') return 'a client of the package redis: pass its URL';
  if (typeof host === 'string' || typeof port === 'number' || typeof url === 'string') {
    return 'options of a client: pass new Redis({ ... }) of ioredis, or a URL';
  }
  return describeValue(value);
}
