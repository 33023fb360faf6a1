import type { EngineObserver } from '../limiter/fallback/engine-observer.js';
import { unsafeWarning } from '../limiter/redis/connect.js';
import type { EngineFailure } from '../limiter/redis/engine-failure.js';
import { zoneDataWarning } from '../limiter/redis/instances.js';
import type { Logger } from '../model/logger.js';

/** Minimum time between two log lines about a failure that needs an operator, in milliseconds. */
const ALARM_EVERY_MS = 60_000;

const FORGOTTEN =
  'counters in memory were dropped to make room for others, and their callers may spend the same amounts again: ' +
  'there are more callers than TOLLGATE_MAX_PARTITIONS (maxPartitions). Raise that limit, or use Redis';

/**
 * Creates the log about Redis for an operator. It writes one line when Redis stops responding and
 * one line when Redis responds again, regardless of the number of requests in between. A failure
 * that does not resolve by itself is logged immediately, then at most once a minute. Counters
 * evicted from memory are logged at most once a minute. `count` is notified of every failure, and
 * `countFallenBehind` of every decision without Redis while Redis replies to other calls.
 */
export function createEngineLog(
  logger: Logger,
  count: (failure: EngineFailure) => void = () => {},
  countFallenBehind: (pool: string) => void = () => {},
): EngineObserver {
  const loggedAtMs = new Map<string, number>();
  const away = new Set<string>();
  let forgotten = 0;
  let loggedForgottenAtMs = Number.NEGATIVE_INFINITY;

  function alarm({ pool, class: errorClass, error }: EngineFailure): void {
    const key = `${pool} ${errorClass}`;
    const nowMs = performance.now();
    const before = loggedAtMs.get(key);
    if (before !== undefined && nowMs - before < ALARM_EVERY_MS) return;
    loggedAtMs.set(key, nowMs);
    logger.error(
      { err: error, pool, class: errorClass },
      'Redis rejects the commands of Tollgate: check the password and the rights of its user, and the version of the server',
    );
  }

  return {
    unsafe: (pool, options) => logger.warn(unsafeWarning(pool, options)),
    zoneDataDiffers: (pool, version) => logger.warn(zoneDataWarning(pool, version)),
    failed(failure) {
      count(failure);
      if (failure.alarm) alarm(failure);
    },
    forgot(pool) {
      forgotten++;
      const nowMs = performance.now();
      if (nowMs - loggedForgottenAtMs < ALARM_EVERY_MS) return;
      loggedForgottenAtMs = nowMs;
      logger.warn(`${forgotten} ${FORGOTTEN}. The last of these counters belongs to the pool ${pool}`);
      forgotten = 0;
    },
    fellBehind: countFallenBehind,
    regionChanged(region, isReachable) {
      if (isReachable)
        logger.info(`The Redis of region ${region} answers again: the regions exchange shares and counts of limits`);
      else
        logger.warn(
          `The Redis of region ${region} does not answer: the regions exchange no shares and counts of limits until it answers`,
        );
    },
    changed({ pool, state, reason, instances }) {
      if (state === 'OPEN' && !away.has(pool)) {
        away.add(pool);
        logger.error({ pool, reason, instances }, 'Redis does not answer: Tollgate decides limits without it');
      } else if (state === 'CLOSED' && away.delete(pool)) {
        logger.info(`Redis answers again (pool ${pool}) and decides limits`);
      }
    },
  };
}
