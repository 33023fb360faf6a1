import type { Cluster } from 'ioredis';
import { afterAll, beforeAll, test } from 'vitest';
import { connect } from '../../../src/limiter/redis/connect.js';
import { SCOPES } from '../../../src/model/subject.js';
import { type RedisCluster, startRedisCluster } from '../../helpers/redis-cluster.js';
import { checkHistories } from '../check-histories.js';

/** Number of histories. For a longer search: HISTORIES=5000. */
const RUNS = Number(process.env['HISTORIES'] ?? 80);
const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);

let cluster: RedisCluster;
let connection: Awaited<ReturnType<typeof connect>>;
beforeAll(async () => {
  cluster = await startRedisCluster({ replicas: false });
  connection = await connect(cluster.url);
  await connection.ready();
});
afterAll(async () => {
  await connection?.close();
  await cluster?.stop();
});

test(
  `a Cluster, the memory engine and the model agree on every number of limits in one hash slot, in ${RUNS} random histories (SEED=${seed})`,
  () =>
    checkHistories({
      client: connection.client as Cluster,
      scopes: ['USER', 'API_KEY', 'TENANT', 'USER_AND_IP'],
      runs: RUNS,
      seed,
    }),
  500 * RUNS + 60_000,
);

test(
  `a Cluster, the memory engine and the model agree on limits in several hash slots, in ${RUNS} random histories (SEED=${seed})`,
  () => checkHistories({ client: connection.client as Cluster, scopes: SCOPES, isAcrossSlots: true, runs: RUNS, seed }),
  500 * RUNS + 60_000,
);
