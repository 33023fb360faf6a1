import { expect } from 'vitest';
import type { Db } from '../../../src/postgres/db.js';
import { startEmbeddedPlatform } from '../../helpers/embedded-platform.js';
import { type Platform, startPlatform } from '../../helpers/platform.js';
import { startRedisServer } from '../../helpers/servers.js';
import { openServerDatabase } from '../../postgres/databases.js';

export interface OpenPlatform {
  platform: Platform;
  /** Servers that the platform uses. Undefined for an embedded platform. */
  servers: { db: Db; redisUrl: string } | undefined;
  /** Returns the number of responses that the API behind a gateway has started. */
  forwarded?(): Promise<number>;
  close(): Promise<void>;
}

export const ON_SERVERS = 'on Redis and PostgreSQL';
export const BEHIND_GATEWAY = 'behind the gateway';

/**
 * Ways to run the platform as a process: `tollgate start`, embedded and on servers, and
 * `tollgate gateway`.
 */
export const PLATFORMS = [
  {
    on: 'embedded',
    async open(env: Record<string, string> = {}): Promise<OpenPlatform> {
      const platform = await startEmbeddedPlatform({ env: { LOG_LEVEL: 'trace', ...env } });
      return { platform, servers: undefined, close: async () => expect(await platform.stop()).toBe(0) };
    },
  },
  {
    on: ON_SERVERS,
    async open(more: Record<string, string> = {}): Promise<OpenPlatform> {
      const redis = await startRedisServer();
      const { url, db, dispose } = await openServerDatabase();
      const env = { REDIS_URL: redis.url, DATABASE_URL: url, LOG_LEVEL: 'trace', ...more };
      const platform = await startPlatform({ env, args: ['--demo'] });
      return {
        platform,
        servers: { db, redisUrl: redis.url },
        async close() {
          expect(await platform.stop()).toBe(0);
          await dispose();
          await redis.stop();
        },
      };
    },
  },
  // The same API and the same rules, with `tollgate gateway` between the clients and the API.
  {
    on: BEHIND_GATEWAY,
    async open(env: Record<string, string> = {}): Promise<OpenPlatform> {
      const settings = { LOG_LEVEL: 'trace', ...env };
      const platform = await startEmbeddedPlatform({ command: 'gateway', args: ['--demo'], env: settings });
      return {
        platform,
        servers: undefined,
        async forwarded() {
          const metrics = await (await fetch(`${platform.url}/metrics`)).text();
          return Number(/^tollgate_upstream_first_byte_seconds_count (\d+)$/m.exec(metrics)![1]);
        },
        close: async () => expect(await platform.stop()).toBe(0),
      };
    },
  },
];
