import { createPgDb } from '../../src/postgres/create-pg-db.js';
import { createRulesStore, type RulesStore } from '../../src/rules/store/rules-store.js';
import { ADMIN_TOKEN, type Platform, post, startPlatform } from '../../test/helpers/platform.js';
import { startPostgresServer, startRedisServer } from '../../test/helpers/servers.js';
import { startTcpProxy, type TcpProxy } from '../../test/helpers/tcp-proxy.js';

export interface PartsOptions {
  /** URLs of existing servers. @default own servers, on free loopback ports */
  redisUrl?: string | undefined;
  databaseUrl?: string | undefined;
  /**
   * Whether the platform connects to Redis through a proxy that can cause faults. Without faults it
   * connects directly, because the proxy would affect the measurement.
   */
  faultyRedis?: boolean;
}

/** The built platform with a real Redis and PostgreSQL, each in a separate process. */
export interface Parts {
  platform: Platform;
  store: RulesStore;
  /** IDs of the processes that `startParts` started. Servers given by URL are not included. */
  pids: Record<string, number>;
  toRedis: TcpProxy;
  toPostgres: TcpProxy;
  redisUrl: string;
  databaseUrl: string;
  /**
   * Stops all processes that `startParts` started. Resolves to the exit status of the platform.
   */
  stop(): Promise<number | null>;
}

export async function startParts(options: PartsOptions = {}): Promise<Parts> {
  const closers: (() => Promise<unknown>)[] = [];
  const closeAll = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  // Without these handlers, the started servers would continue to run after an interrupt.
  const interrupted = () => void closeAll().finally(() => process.exit(1));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupted);
  try {
    const redis = options.redisUrl === undefined ? await startRedisServer() : undefined;
    if (redis) closers.push(redis.stop);
    const postgres = options.databaseUrl === undefined ? await startPostgresServer() : undefined;
    if (postgres) closers.push(postgres.stop);
    const redisUrl = options.redisUrl ?? redis!.url;
    const databaseUrl = options.databaseUrl ?? postgres!.url;
    const toRedis = await startTcpProxy(redisUrl);
    closers.push(toRedis.close);
    const toPostgres = await startTcpProxy(databaseUrl);
    closers.push(toPostgres.close);
    const platform = await startPlatform({
      env: {
        REDIS_URL: options.faultyRedis ? toRedis.url : redisUrl,
        DATABASE_URL: toPostgres.url,
        // Requests carry their client address in a header, as behind a load balancer.
        TOLLGATE_TRUSTED_PROXIES: '1',
        LOG_LEVEL: 'warn',
        // The default value. `startPlatform` would raise it for tests.
        TOLLGATE_REDIS_DEADLINE_MS: '25',
      },
      args: ['--demo'],
    });
    let status: number | null = null;
    closers.push(async () => {
      status = await platform.stop();
    });
    const db = await createPgDb({ url: databaseUrl, maxConnections: 4 });
    closers.push(() => db.close());
    const pidOf = (name: string, part: { process: { pid?: number | undefined } } | undefined) =>
      part?.process.pid === undefined ? {} : { [name]: part.process.pid };
    return {
      platform,
      store: createRulesStore(db),
      pids: {
        ...pidOf('server', platform),
        ...pidOf('Redis', redis),
        ...pidOf('PostgreSQL', postgres),
      },
      toRedis,
      toPostgres,
      redisUrl,
      databaseUrl,
      async stop() {
        for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupted);
        await closeAll();
        return status;
      },
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** Sends a query to the admin API. Throws unless the status is 200. */
export async function askAdmin({ url }: Platform, query: string): Promise<Record<string, unknown>> {
  const { status, body } = await post(`${url}/admin/graphql`, query, { authorization: `Bearer ${ADMIN_TOKEN}` });
  if (status !== 200) throw new Error(`the admin API returned status ${status}: ${JSON.stringify(body)}`);
  return body.data;
}
