import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { Redis } from 'ioredis';
import { until } from './redis-cluster.js';
import { findBinary, freePort, REDIS_SERVER, startRedisServer, temporaryFile } from './servers.js';

export interface RedisSentinels {
  /** `redis-sentinel://` with all sentinels and the name of the primary. */
  url: string;
  /**
   * Makes the replica the primary, and waits until the sentinels report it and the old primary
   * follows it. Works only once.
   */
  failOver(): Promise<void>;
  stop(): Promise<void>;
}

const NAME = 'counters';

/**
 * Starts a primary with a replica, and three sentinels that watch them, all real, on free ports.
 */
export async function startRedisSentinels(): Promise<RedisSentinels> {
  const primary = await startRedisServer();
  const replica = await startRedisServer(['--replicaof', '127.0.0.1', String(primary.port)]);
  const replicaClient = new Redis(replica.port, '127.0.0.1');
  const oldPrimary = new Redis(primary.port, '127.0.0.1');
  await until(async () => (await replicaClient.info('replication')).includes('master_link_status:up'));
  const sentinels = await Promise.all(Array.from({ length: 3 }, () => startSentinel(primary.port)));
  const asked = new Redis(sentinels[0]!.port, '127.0.0.1');
  const primaryPort = async () => {
    const address = (await asked.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', NAME)) as [string, string];
    return Number(address[1]);
  };
  const knowsAll = async () => {
    const [fields] = (await asked.call('SENTINEL', 'MASTERS')) as string[][];
    const value = (name: string) => fields![fields!.indexOf(name) + 1];
    return value('num-slaves') === '1' && value('num-other-sentinels') === '2';
  };
  await until(knowsAll);
  return {
    url: `redis-sentinel://${sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',')}/${NAME}`,
    async failOver() {
      const before = await primaryPort();
      await asked.call('SENTINEL', 'FAILOVER', NAME);
      await until(async () => (await primaryPort()) !== before);
      // Until the old primary follows the new one, it accepts writes and later discards them.
      await until(async () => (await oldPrimary.info('replication')).includes('role:slave'));
    },
    async stop() {
      asked.disconnect();
      replicaClient.disconnect();
      oldPrimary.disconnect();
      await Promise.all([...sentinels, primary, replica].map((server) => server.stop()));
    },
  };
}

/**
 * Starts a sentinel. A sentinel overwrites its configuration file, so each has a separate file and
 * folder.
 */
async function startSentinel(primaryPort: number): Promise<{ port: number; stop(): Promise<void> }> {
  const binary = findBinary(REDIS_SERVER);
  if (!binary) throw new Error('redis-server is not installed: run `npm test`, which installs it');
  const port = await freePort();
  const config = temporaryFile(
    'sentinel.conf',
    [
      `port ${port}`,
      'bind 127.0.0.1',
      `sentinel monitor ${NAME} 127.0.0.1 ${primaryPort} 2`,
      // Only `failOver` starts a failover. With a shorter time, a primary that a busy machine delays
      // would count as lost.
      `sentinel down-after-milliseconds ${NAME} 60000`,
      `sentinel failover-timeout ${NAME} 60000`,
      '',
    ].join('\n'),
  );
  const child = spawn(binary, [config, '--sentinel'], { stdio: 'ignore', cwd: dirname(config) });
  const client = new Redis(port, '127.0.0.1', { retryStrategy: () => 50 });
  client.on('error', () => {}); // Connections are rejected until the sentinel listens.
  await client.ping();
  client.disconnect();
  return {
    port,
    async stop() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
      rmSync(dirname(config), { recursive: true, force: true });
    },
  };
}
