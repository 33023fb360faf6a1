import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { afterEach, describe, expect, inject, test, vi } from 'vitest';
import { createLimiter } from '../../../src/limiter/create-limiter.js';
import { connect, findUnsafeOptions } from '../../../src/limiter/redis/connect.js';
import { createEngineLog } from '../../../src/observability/create-engine-log.js';
import { PATIENT_MS } from '../../helpers/patient.js';

type Options = Pick<RedisOptions, 'autoResendUnfulfilledCommands' | 'enableOfflineQueue' | 'maxRetriesPerRequest'>;
const SAFE: Options = {
  autoResendUnfulfilledCommands: false,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
};
const SAFE_CLUSTER = {
  enableOfflineQueue: false,
  retryDelayOnFailover: 0,
  retryDelayOnClusterDown: 0,
  redisOptions: { autoResendUnfulfilledCommands: false, maxRetriesPerRequest: 0 },
};

const clients: (Redis | Cluster)[] = [];
afterEach(() => {
  vi.restoreAllMocks();
  for (const client of clients.splice(0)) client.disconnect();
});

function redis(options: Options = {}): Redis {
  const client = new Redis({ ...options, lazyConnect: true });
  clients.push(client);
  return client;
}

function cluster(options: ConstructorParameters<typeof Cluster>[1] = {}): Cluster {
  const client = new Cluster([{ host: '127.0.0.1', port: 1 }], { ...options, lazyConnect: true });
  clients.push(client);
  return client;
}

describe('safety of a given client', () => {
  test('a client is unsafe with each option that can make it send a charge twice or late', () => {
    expect(findUnsafeOptions(redis())).toEqual([
      'autoResendUnfulfilledCommands: false (now true)',
      'enableOfflineQueue: false (now true)',
      'maxRetriesPerRequest: 0 (now 20)',
    ]);
    expect(findUnsafeOptions(redis({ ...SAFE, maxRetriesPerRequest: null }))).toEqual([
      'maxRetriesPerRequest: 0 (now null)',
    ]);
    expect(findUnsafeOptions(cluster())).toEqual([
      'retryDelayOnFailover: 0 (now 100)',
      'retryDelayOnClusterDown: 0 (now 100)',
      'enableOfflineQueue: false (now true)',
      'redisOptions.autoResendUnfulfilledCommands: false (now the default)',
      'redisOptions.maxRetriesPerRequest: 0 (now the default)',
    ]);
  });

  test('clients with the documented options and clients that Tollgate creates are safe', async () => {
    expect(findUnsafeOptions(redis(SAFE))).toEqual([]);
    expect(findUnsafeOptions(cluster(SAFE_CLUSTER))).toEqual([]);
    for (const url of ['redis://127.0.0.1:1', 'redis-cluster://127.0.0.1:1', 'redis-sentinel://127.0.0.1:1/name']) {
      const connection = await connect(url);
      expect(findUnsafeOptions(connection.client)).toEqual([]);
      connection.client.disconnect();
    }
  });

  test('an unsafe client causes one warning line for each pool, with its unsafe options and the remedy', async () => {
    const lines: string[] = [];
    const logger = { info() {}, warn: (line: string) => void lines.push(line), error() {} };
    const pools = { reports: new Redis(inject('redisUrl'), { ...SAFE, db: 9, maxRetriesPerRequest: 3 }) };
    const client = new Redis(inject('redisUrl'));
    clients.push(client, pools.reports);
    const observer = createEngineLog(logger);
    const limiter = createLimiter({ redis: client, pools, deadlineMs: PATIENT_MS, observer });
    await limiter.opened;
    for (let i = 0; i < 3; i++) await limiter.charge({ subject: { user: 'x' }, limits: [] });
    await limiter.close();
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(
      /pool default\) may charge .* twice .*autoResendUnfulfilledCommands: false .*enableOfflineQueue: false .*maxRetriesPerRequest: 0 .*or give Tollgate a URL$/,
    );
    expect(lines[1]).toMatch(/pool reports\).*Create it with maxRetriesPerRequest: 0 \(now 3\); or/);
  });

  test('an unsafe client without an observer causes one process warning, however many limiters share it', async () => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const client = new Redis(inject('redisUrl'), { enableOfflineQueue: true });
    clients.push(client);
    for (let i = 0; i < 2; i++) {
      const limiter = createLimiter({ redis: client, deadlineMs: PATIENT_MS });
      await limiter.opened;
      await limiter.close();
    }
    // Other tests of this process may emit other warnings.
    const ofClient = warned.mock.calls.filter(([warning]) => String(warning).includes('enableOfflineQueue: false'));
    expect(ofClient).toEqual([[expect.any(String), 'TollgateWarning']]);
  });
});
