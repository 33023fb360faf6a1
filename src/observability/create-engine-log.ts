import type { EngineObserver } from '../limiter/fallback/engine-observer.js';
import { unsafeWarning } from '../limiter/redis/connect.js';
import type { EngineFailure } from '../limiter/redis/engine-failure.js';
import type { Logger } from '../model/logger.js';

/** What needs an operator at once is said again while it lasts, this often. */
const ALARM_EVERY_MS = 60_000;

const FORGOTTEN =
  'counters in memory were forgotten to make room for others, and whose they were may spend again what they had used: ' +
  'there are more callers than TOLLGATE_MAX_PARTITIONS (maxPartitions). Raise it, or count in Redis';

/**
 * What an operator wants to read of Redis: one line when it goes away and one when it is back, however many requests
 * there are in between, and at once what does not heal by itself. Of what is forgotten in memory, one line a minute. `count`
 * is told of every failure.
 */
export function createEngineLog(
  logger: Logger,
  count: (failure: EngineFailure) => void = () => {},
  countFallenBehind: (pool: string) => void = () => {},
): EngineObserver {
  const saidAtMs = new Map<string, number>();
  const away = new Set<string>();
  let forgotten = 0;
  let saidForgottenAtMs = Number.NEGATIVE_INFINITY;

  function alarm({ pool, class: errorClass, error }: EngineFailure): void {
    const key = `${pool} ${errorClass}`;
    const nowMs = performance.now();
    const before = saidAtMs.get(key);
    if (before !== undefined && nowMs - before < ALARM_EVERY_MS) return;
    saidAtMs.set(key, nowMs);
    logger.error({ err: error, pool, class: errorClass }, 'Redis refuses what Tollgate asks: this needs an operator');
  }

  return {
    unsafe: (pool, options) => logger.warn(unsafeWarning(pool, options)),
    failed(failure) {
      count(failure);
      if (failure.alarm) alarm(failure);
    },
    forgot(pool) {
      forgotten++;
      const nowMs = performance.now();
      if (nowMs - saidForgottenAtMs < ALARM_EVERY_MS) return;
      saidForgottenAtMs = nowMs;
      logger.warn(`${forgotten} ${FORGOTTEN} (pool ${pool})`);
      forgotten = 0;
    },
    fellBehind: countFallenBehind,
    changed({ pool, state, reason, instances }) {
      if (state === 'OPEN' && !away.has(pool)) {
        away.add(pool);
        logger.error({ pool, reason, instances }, 'Redis does not answer: limits are decided without it');
      } else if (state === 'CLOSED' && away.delete(pool)) {
        logger.info(`Redis answers again (pool ${pool}): it decides`);
      }
    },
  };
}
