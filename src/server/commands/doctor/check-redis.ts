import type { Cluster, Redis } from 'ioredis';
import { connect, parseRedisUrl } from '../../../limiter/redis/connect.js';
import { withTimeout } from '../../../runtime/with-timeout.js';
import { checkScripts } from './check-scripts.js';
import { adviceOnCertificate, findTlsMismatch } from './find-tls-mismatch.js';
import { type Finding, finding, judgeClock } from './finding.js';

/**
 * Timeout in milliseconds. It is long, so that a busy server is reported as slow instead of
 * unavailable.
 */
const PATIENCE_MS = 10_000;
/**
 * Time in milliseconds to wait for a connection before the check tests whether TLS is the reason.
 */
const SLOW_MS = 1000;
const PINGS = 50;
/**
 * Median round trip above which the check warns, in milliseconds: every decision waits for one
 * round trip.
 */
const LATENCY_WARNING_MS = 5;
const SLOTS = 16_384;

/** Checks the Redis of a URL. Rejects only if `ioredis` is not installed. */
export async function checkRedis(url: string): Promise<Finding[]> {
  const target = parseRedisUrl(url);
  const { protocol, nodes } = target;
  const place = nodes.map(({ host, port }) => `${host}:${port}`).join(', ');
  /**
   * Reason for the missing connection. Errors of commands state only that the connection is closed.
   */
  let whyNot: unknown;
  let isReady = false;
  const connection = await connect(url, {
    commandTimeoutMs: PATIENCE_MS,
    connectWaitMs: PATIENCE_MS,
    onError: (error) => {
      whyNot ??= error;
    },
  });
  try {
    const ready = Promise.resolve(connection.ready());
    // A TLS client and a Redis without TLS wait for each other until the timeout.
    const isSlow = await withTimeout(
      ready.then(() => false),
      SLOW_MS,
      () => true,
    );
    const mismatch = isSlow ? await findTlsMismatch(target) : undefined;
    if (mismatch !== undefined) return [finding('FAILURE', 'Redis', `cannot connect to ${place}: ${mismatch}`)];
    await ready;
    isReady = true;
    const client = connection.client;
    const info = parseInfo(await client.info());
    if (info.get('role') === 'slave' && !client.isCluster) {
      return [finding('FAILURE', 'Redis', `answers at ${place}, but it is a replica and accepts no writes`)];
    }
    return [
      finding('OK', 'Redis', `answers at ${place}`),
      finding('OK', 'Redis version', versionOf(info)),
      // Use the same connection: a new connection would have only one second to connect.
      await checkScripts(client),
      judgeEviction(info),
      await judgeSlots(client, protocol === 'redis-cluster', info),
      await judgeLatency(client),
      await judgeTime(client),
    ];
  } catch (error) {
    const mismatch = isReady ? undefined : await findTlsMismatch(target);
    const advice = mismatch ?? adviceOnCertificate(whyNot) ?? adviceOnCertificate(error);
    const message = `cannot connect to ${place}: ${reasonOf(error, whyNot)}`;
    return [finding('FAILURE', 'Redis', advice === undefined ? message : `${message}; ${advice}`)];
  } finally {
    await connection.close();
  }
}

function reasonOf(error: unknown, whyNot: unknown): string {
  const { message } = error instanceof Error ? error : new Error(String(error));
  if (!(whyNot instanceof Error) || !/^Connection is closed|^Stream isn't writeable|^not connected/.test(message)) {
    return message;
  }
  const reasons = whyNot instanceof AggregateError ? (whyNot.errors as Error[]) : [whyNot];
  return reasons.map((one) => one.message).join('; ');
}

/** Returns the version that the server reports. The script check shows whether it is suitable. */
function versionOf(info: Map<string, string>): string {
  const asRedis = info.get('redis_version') ?? 'unknown';
  const valkey = info.get('valkey_version');
  return valkey === undefined ? asRedis : `${asRedis}, reported by Valkey ${valkey}`;
}

function judgeEviction(info: Map<string, string>): Finding {
  const policy = info.get('maxmemory_policy') ?? 'unknown';
  const limit = Number(info.get('maxmemory') ?? 0);
  if (policy === 'noeviction') return finding('OK', 'Redis eviction', policy);
  const message = `maxmemory-policy is ${policy}: an evicted counter becomes a full bucket; set noeviction`;
  if (limit === 0) return finding('OK', 'Redis eviction', `${policy}, without effect while maxmemory is 0`);
  return finding(policy === 'unknown' ? 'WARNING' : 'FAILURE', 'Redis eviction', message);
}

async function judgeSlots(client: Redis | Cluster, isCluster: boolean, info: Map<string, string>): Promise<Finding> {
  const subject = 'Redis cluster';
  if (!isCluster) {
    if (info.get('cluster_enabled') !== '1') return finding('OK', subject, 'not a cluster');
    return finding('FAILURE', subject, 'the server is part of a cluster: use a URL with redis-cluster://');
  }
  const state = parseInfo(await client.cluster('INFO'));
  const assigned = Number(state.get('cluster_slots_assigned') ?? 0);
  const working = Number(state.get('cluster_slots_ok') ?? 0);
  if (state.get('cluster_state') === 'ok' && working === SLOTS) {
    return finding('OK', subject, `all ${SLOTS} hash slots are served`);
  }
  const message = `${state.get('cluster_state')}: ${working} of ${SLOTS} hash slots are served, ${assigned} assigned`;
  return finding('FAILURE', subject, `${message}; requests of callers in the other hash slots are decided locally`);
}

async function judgeLatency(client: Redis | Cluster): Promise<Finding> {
  const times: number[] = [];
  for (let ping = 0; ping < PINGS; ping++) {
    const startedMs = performance.now();
    await client.ping();
    times.push(performance.now() - startedMs);
  }
  times.sort((a, b) => a - b);
  const [median, slowest] = [times[PINGS / 2]!, times.at(-1)!];
  const message = `${median.toFixed(1)} ms median, ${slowest.toFixed(1)} ms slowest of ${PINGS} round trips`;
  if (median <= LATENCY_WARNING_MS) return finding('OK', 'Redis latency', message);
  return finding('WARNING', 'Redis latency', `${message}: each decision waits for one round trip; move Redis closer`);
}

async function judgeTime(client: Redis | Cluster): Promise<Finding> {
  const askedMs = Date.now();
  const [seconds, microseconds] = (await client.time()).map(Number);
  return judgeClock('Redis clock', (seconds ?? 0) * 1000 + (microseconds ?? 0) / 1000, askedMs, Date.now());
}

/** Parses `name:value` lines. */
function parseInfo(text: string): Map<string, string> {
  return new Map(
    text.split(/\r?\n/).flatMap((line) => {
      const colon = line.indexOf(':');
      return colon < 0 ? [] : [[line.slice(0, colon), line.slice(colon + 1)] as const];
    }),
  );
}
