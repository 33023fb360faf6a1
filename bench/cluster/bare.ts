import { createHash } from 'node:crypto';
import { connect } from '../../src/limiter/redis/connect.js';
import type { Variant } from '../frame/bench.js';
import { measureOnCluster } from './measure-on-cluster.js';

/** Increments a counter, which is nearly the minimum work of a script with one key. */
const SCRIPT = "local count = redis.call('INCRBY', KEYS[1], ARGV[1]) return count";

/**
 * Measures one call of a script with one key in every scenario. No decision on a Redis Cluster can
 * take less work.
 */
export const bare: Variant = async (conditions) => {
  const connection = await connect(conditions.redisUrl);
  await connection.ready();
  const { client } = connection;
  const nodes = client.isCluster && 'nodes' in client ? client.nodes('master') : [client];
  await Promise.all(nodes.map((node) => node.call('SCRIPT', 'LOAD', SCRIPT)));
  const sha = createHash('sha1').update(SCRIPT).digest('hex');
  return measureOnCluster(
    conditions,
    () => async (subject) => {
      await client.evalsha(sha, 1, `tg:{${subject.user}}`, 12);
      return false;
    },
    connection.close,
  );
};
