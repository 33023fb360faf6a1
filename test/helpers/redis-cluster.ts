import { once } from 'node:events';
import { Redis } from 'ioredis';
import { startRedisServer } from './servers.js';

export interface RedisCluster {
  /** `redis-cluster://` with all nodes. */
  url: string;
  ports: number[];
  /** Moves a hash slot to another primary, key by key, while clients continue. */
  moveSlot(slot: number, toPort: number): Promise<void>;
  portOfSlot(slot: number): Promise<number>;
  /** Kills a node, as if its machine were lost. */
  kill(port: number): Promise<void>;
  stop(): Promise<void>;
}

const SLOTS = 16_384;
/**
 * Node timeout of the cluster. With a shorter one, a node that a busy machine delays would count as
 * lost. Its replica would take over its slots while a test moves them.
 */
const PATIENT_TIMEOUT_MS = 30_000;
/** Node timeout once a node is lost, so that the failover starts soon. */
const FAILOVER_TIMEOUT_MS = 2000;

const PRIMARIES = 3;

export interface RedisClusterOptions {
  /** Whether each primary has a replica. @default true */
  replicas?: boolean;
}

/**
 * Starts real nodes on free ports: three primaries that share the hash slots, and a replica of
 * each.
 */
export async function startRedisCluster({ replicas = true }: RedisClusterOptions = {}): Promise<RedisCluster> {
  const nodes = await Promise.all(
    Array.from({ length: replicas ? 2 * PRIMARIES : PRIMARIES }, () =>
      startRedisServer([
        '--cluster-enabled',
        'yes',
        '--cluster-node-timeout',
        String(PATIENT_TIMEOUT_MS),
        '--cluster-config-file',
        'nodes.conf',
      ]),
    ),
  );
  const clients = nodes.map(({ port }) => new Redis(port, '127.0.0.1', { maxRetriesPerRequest: 0 }));
  // Without a handler, the errors of the client of a killed node would fail the run.
  for (const client of clients) client.on('error', () => {});
  const ids = await Promise.all(clients.map(async (client) => String(await client.cluster('MYID'))));
  const stop = async () => {
    for (const client of clients) client.disconnect();
    await Promise.all(nodes.map((node) => node.stop()));
  };
  /** Returns whether every primary has its own epoch and knows the latest one. */
  const knowEpochs = async (): Promise<boolean> => {
    const owners = clients.slice(0, PRIMARIES);
    const infos = await Promise.all(owners.map(async (client) => String(await client.cluster('INFO'))));
    const all = (name: string) => new Set(infos.map((info) => new RegExp(`${name}:(\\d+)`).exec(info)![1]));
    return all('cluster_my_epoch').size === PRIMARIES && all('cluster_current_epoch').size === 1;
  };
  try {
    // The epochs are set explicitly, as redis-cli does. Otherwise all primaries would begin with
    // the same epoch, and would change their epochs while they already serve clients.
    await Promise.all(
      clients.slice(0, PRIMARIES).map((client, i) => client.call('CLUSTER', 'SET-CONFIG-EPOCH', i + 1)),
    );
    await Promise.all(
      clients.slice(0, PRIMARIES).map((client, i) => {
        const from = Math.floor((SLOTS * i) / PRIMARIES);
        const to = Math.floor((SLOTS * (i + 1)) / PRIMARIES) - 1;
        return client.call('CLUSTER', 'ADDSLOTSRANGE', from, to);
      }),
    );
    for (const { port } of nodes.slice(1)) await clients[0]!.cluster('MEET', '127.0.0.1', port);
    await until(async () =>
      (await Promise.all(clients.map(async (client) => String(await client.cluster('NODES'))))).every((list) =>
        ids.every((id) => list.includes(id)),
      ),
    );
    await Promise.all(clients.slice(PRIMARIES).map((client, i) => client.cluster('REPLICATE', ids[i]!)));
    await until(async () =>
      (await Promise.all(clients.map(async (client) => String(await client.cluster('INFO'))))).every((info) =>
        info.includes('cluster_state:ok'),
      ),
    );
    await until(async () => ((await clients[0]!.cluster('SHARDS')) as unknown[]).length === PRIMARIES);
    await until(knowEpochs);
    // A replica that was never in sync does not take over.
    await until(async () =>
      (await Promise.all(clients.slice(PRIMARIES).map((client) => client.info('replication')))).every((info) =>
        info.includes('master_link_status:up'),
      ),
    );
  } catch (error) {
    await stop();
    throw error;
  }
  const byPort = (port: number) => nodes.findIndex((node) => node.port === port);
  const portOfSlot = async (slot: number, client = clients[0]!): Promise<number> => {
    const ranges = await client.cluster('SLOTS');
    return ranges.find(([from, to]) => from <= slot && slot <= to)![2]![1];
  };
  return {
    url: `redis-cluster://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
    ports: nodes.map(({ port }) => port),
    portOfSlot: (slot) => portOfSlot(slot),
    async moveSlot(slot, toPort) {
      const from = byPort(await portOfSlot(slot));
      const to = byPort(toPort);
      await clients[to]!.cluster('SETSLOT', slot, 'IMPORTING', ids[from]!);
      await clients[from]!.cluster('SETSLOT', slot, 'MIGRATING', ids[to]!);
      for (;;) {
        const keys = (await clients[from]!.cluster('GETKEYSINSLOT', slot, 10)) as string[];
        if (keys.length === 0) break;
        await clients[from]!.call('MIGRATE', '127.0.0.1', toPort, '', 0, 5000, 'KEYS', ...keys);
      }
      // The new owner takes the next epoch. If it does not know the latest epoch, it takes one that
      // another node already has. Then the old owner may get a later epoch and regain the slot. The
      // moved keys would be deleted, with the charges since the move.
      await until(knowEpochs);
      for (const i of [to, from]) await clients[i]!.cluster('SETSLOT', slot, 'NODE', ids[to]!);
      try {
        // A gossip message that was still in flight may undo the assignment at a node. Then the
        // assignment is sent again.
        await until(async () => {
          const owners = clients.slice(0, PRIMARIES);
          const ports = await Promise.all(owners.map((client) => portOfSlot(slot, client)));
          const behind = owners.filter((_, i) => ports[i] !== toPort);
          await Promise.all(behind.map((client) => client.cluster('SETSLOT', slot, 'NODE', ids[to]!)));
          return behind.length === 0;
        });
      } catch (error) {
        const views = await Promise.all(clients.map(async (client) => String(await client.cluster('NODES'))));
        throw new Error(`slot ${slot} did not move to ${toPort}:\n${views.join('\n')}`, { cause: error });
      }
    },
    async kill(port) {
      // Some calls may fail, because nodes that the test has already killed do not respond.
      await Promise.allSettled(
        clients.map((client) => client.config('SET', 'cluster-node-timeout', FAILOVER_TIMEOUT_MS)),
      );
      const { process } = nodes[byPort(port)]!;
      const gone = once(process, 'exit');
      process.kill('SIGKILL');
      await gone;
    },
    stop,
  };
}

/**
 * Waits until a condition holds. It polls, because a cluster does not announce when its nodes
 * agree.
 */
export async function until(holds: () => Promise<boolean>, timeoutMs = 60_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`still false after ${timeoutMs} ms: ${holds}`);
    await once(AbortSignal.timeout(20), 'abort');
  }
}
