import { connect, parseRedisUrl } from '../limiter/redis/connect.js';
import { INSTANCES_KEYS } from '../limiter/redis/create-script-runner.js';
import { classify } from '../limiter/redis/engine-failure.js';
import { StartError } from '../runtime/start-error.js';
import type { Config } from './config/config.js';

const WAIT_MS = 1_000;
const PROBE_KEYS = [...INSTANCES_KEYS, 'tg:{start}'];

/**
 * Makes the start fail if Redis rejects the user, the password, the database or the commands of the
 * scripts. Retrying cannot correct such a mistake in the settings. If Redis does not respond, the
 * platform starts without it, because this may be an outage.
 *
 * @throws StartError that names the setting
 */
export async function rejectRedisMistakes({ redisUrl, pools }: Pick<Config, 'redisUrl' | 'pools'>): Promise<void> {
  const places = pools.map(({ name, redisUrl: url }) => ({ setting: `REDIS_URL_${name.toUpperCase()}`, url }));
  if (redisUrl !== undefined) places.unshift({ setting: 'REDIS_URL', url: redisUrl });
  const found = await Promise.all(places.map(({ setting, url }) => findMistake(setting, url)));
  const mistakes = found.filter((one) => one !== undefined);
  if (mistakes.length > 0) throw new StartError(mistakes.join('\n'));
}

async function findMistake(setting: string, url: string): Promise<string | undefined> {
  const errors: unknown[] = [];
  const connection = await connect(url, {
    connectWaitMs: WAIT_MS,
    commandTimeoutMs: WAIT_MS,
    onError: (error) => errors.push(error),
  });
  try {
    await connection.ready();
    for (const key of PROBE_KEYS) await connection.client.eval("return redis.call('EXISTS', KEYS[1])", 1, key);
  } catch (error) {
    errors.push(error);
  } finally {
    await connection.close();
  }
  const mistake = errors.find((error) => classify(error) === 'auth');
  if (!(mistake instanceof Error)) return undefined;
  const place = parseRedisUrl(url)
    .nodes.map(({ host, port }) => `${host}:${port}`)
    .join(', ');
  return `${setting}: Redis at ${place} answers, but rejects this user: ${mistake.message}. Correct the user, the password or the database in ${setting}, or grant the rights that docs/limits.md lists`;
}
