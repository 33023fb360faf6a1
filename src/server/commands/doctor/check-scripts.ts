import { randomUUID } from 'node:crypto';
import type { LimitCharge } from '../../../limiter/charge/create-limit-compiler.js';
import type { Decision, Receipt } from '../../../limiter/charge/decision.js';
import { DEFAULT_POOL } from '../../../limiter/charge/is-pool-name.js';
import { createLimiter, type Limiter } from '../../../limiter/create-limiter.js';
import type { EngineFailure } from '../../../limiter/redis/engine-failure.js';
import type { RedisClient } from '../../../model/redis-client.js';
import { type Finding, finding } from './finding.js';

const SUBJECT = 'Redis scripts';
const DEADLINE_MS = 10_000;
const DAY_MS = 86_400_000;

/**
 * Charges a test caller in Redis as in production, and compares the decisions with those of the
 * memory engine. It tests the behavior of the scripts instead of the reported version, so it also
 * works behind a proxy. Never rejects.
 * @param make creates a limiter that uses the Redis to check
 */
export async function checkScripts(
  redisOrUrl: RedisClient | string,
  make: (options: Parameters<typeof createLimiter>[0]) => Limiter = createLimiter,
): Promise<Finding> {
  const failures: EngineFailure[] = [];
  // Both engines use one stopped clock: otherwise their results would differ if a window ended
  // between the two runs.
  const nowMs = Date.now();
  const now = () => nowMs;
  const redis = make({
    redis: redisOrUrl,
    deadlineMs: DEADLINE_MS,
    now,
    observer: { failed: (one) => failures.push(one) },
  });
  const memory = createLimiter({ now });
  const user = `tollgate-doctor-${randomUUID()}`;
  try {
    // Run the same steps in Redis and in memory. The remaining amounts show whether each step had
    // the right effect.
    const [there, here] = [await rehearse(redis, user), await rehearse(memory, user)];
    const [failure] = failures;
    if (failure !== undefined) {
      const { error } = failure;
      return finding('FAILURE', SUBJECT, `do not run: ${error instanceof Error ? error.message : String(error)}`);
    }
    const wrong = here.find(({ found }, step) => found !== there[step]!.found);
    if (wrong === undefined)
      return finding('OK', SUBJECT, `give the same decisions as this process in ${here.length} steps`);
    const { found } = there[here.indexOf(wrong)]!;
    const message = `${wrong.step}: expected ${wrong.found}, got ${found}`;
    return finding('FAILURE', SUBJECT, `give other decisions than this process: ${message}`);
  } catch (error) {
    return finding('FAILURE', SUBJECT, `do not run: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    await Promise.all([redis.close(), memory.close()]);
  }
}

/** One limit of each kind. Periods are days, so that no limit refills during the check. */
const LIMITS = [
  { id: 'bucket', algorithm: 'TOKEN_BUCKET', capacity: 10, refillAmount: 1, refillPeriodMs: DAY_MS },
  { id: 'leaky', algorithm: 'LEAKY_BUCKET', capacity: 10, refillAmount: 1, refillPeriodMs: DAY_MS },
  { id: 'fixed', algorithm: 'FIXED_WINDOW', amount: 10, windowMs: DAY_MS },
  { id: 'counter', algorithm: 'SLIDING_WINDOW_COUNTER', amount: 10, windowMs: DAY_MS },
  { id: 'strict', algorithm: 'SLIDING_WINDOW_COUNTER', amount: 10, windowMs: DAY_MS, strict: true },
  { id: 'log', algorithm: 'SLIDING_WINDOW_LOG', amount: 10, windowMs: DAY_MS },
  { id: 'calendar', algorithm: 'CALENDAR_WINDOW', amount: 10, every: 'YEAR', carryOver: { percent: 50, max: 10 } },
  { id: 'places', algorithm: 'CONCURRENCY', capacity: 10, leaseMs: DAY_MS },
] as const;

interface Step {
  step: string;
  found: string;
}

/** Charges, settles, denies and peeks, and leaves no counters behind. */
async function rehearse(limiter: Limiter, user: string): Promise<Step[]> {
  const subject = { user };
  const steps: Step[] = [];
  const note = (step: string, found: unknown) => steps.push({ step, found: JSON.stringify(found) });
  const costing = (cost: number) => LIMITS.map((limit): LimitCharge => ({ ...limit, scope: 'USER', cost }));
  const idle = { subject, limits: costing(0), pool: DEFAULT_POOL };
  try {
    const first = await limiter.charge({ subject, limits: costing(4) });
    note('charge 4 of 10', shown(first));
    const actual = Object.fromEntries(LIMITS.map(({ id }) => [id, 1]));
    if (first.admitted) await limiter.settle(first.receipt, actual);
    note('correct it to 1', await limiter.peek(idle));
    note('charge 8 more', shown(await limiter.charge({ subject, limits: costing(8) })));
    note('deny another 8', shown(await limiter.charge({ subject, limits: costing(8) })));
    note('deny 11, above the capacity', shown(await limiter.charge({ subject, limits: costing(11) })));
    note('read it', await limiter.peek(idle));
  } finally {
    await limiter.reset(idle);
  }
  note('read it after a reset', await limiter.peek(idle));
  return steps;
}

function shown(decision: Decision): Omit<Decision, 'receipt'> {
  const { receipt: _receipt, ...rest } = decision as Decision & { receipt?: Receipt };
  return rest;
}
