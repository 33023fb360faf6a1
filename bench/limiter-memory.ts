import { RateLimiterMemory } from 'rate-limiter-flexible';
import { createLimiter } from '../src/limiter/create-limiter.js';
import type { LimitCharge } from '../src/limiter/types.js';

// The memory engine against RateLimiterMemory, with one limit and with six (which that one consumes in parallel, and
// not atomically). Rounds alternate and the median ratio counts, because machines are noisy.

const USERS = Array.from({ length: 1000 }, (_, i) => `user-${i}`);
const CALLS = 200_000;
const ROUNDS = 7;

const window: LimitCharge = {
  id: 'w',
  scope: 'USER',
  algorithm: 'FIXED_WINDOW',
  amount: 1e9,
  windowMs: 60_000,
  cost: 1,
};
const bucket: LimitCharge = {
  id: 'bucket',
  scope: 'USER',
  algorithm: 'TOKEN_BUCKET',
  capacity: 1_000_000,
  refillAmount: 1_000_000,
  refillPeriodMs: 1000,
  cost: 1,
};
const six: LimitCharge[] = [
  bucket,
  ...['a', 'b', 'c', 'd', 'e'].map(
    (id): LimitCharge => ({ ...window, id, algorithm: 'SLIDING_WINDOW_COUNTER', amount: 10_000_000 }),
  ),
];

async function microsecondsPerCall(call: (user: string) => Promise<unknown>): Promise<number> {
  const started = performance.now();
  for (let i = 0; i < CALLS; i++) await call(USERS[i % USERS.length]!);
  return ((performance.now() - started) * 1000) / CALLS;
}

async function compare(name: string, limits: LimitCharge[], target: number): Promise<void> {
  const limiter = createLimiter();
  const others = limits.map(({ id }) => new RateLimiterMemory({ keyPrefix: id, points: 1e9, duration: 60 }));
  const charge = (user: string) => limiter.charge({ subject: { user }, limits });
  const consume =
    others.length === 1
      ? (user: string) => others[0]!.consume(user, 1)
      : (user: string) => Promise.all(others.map((other) => other.consume(user, 1)));
  await microsecondsPerCall(charge);
  await microsecondsPerCall(consume);
  const rounds: { ours: number; theirs: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({ ours: await microsecondsPerCall(charge), theirs: await microsecondsPerCall(consume) });
  }
  rounds.sort((a, b) => a.theirs / a.ours - b.theirs / b.ours);
  const { ours, theirs } = rounds[Math.floor(ROUNDS / 2)]!;
  const speed = `${(theirs / ours).toFixed(2)} times as fast as RateLimiterMemory`;
  console.log(`${name}: ${speed} (${ours.toFixed(3)} us against ${theirs.toFixed(3)} us; target ${target})`);
}

await compare('memory engine, one limit', [window], 1);
await compare('memory engine, six limits', six, 1.5);
process.exit(0); // RateLimiterMemory leaves timers behind.
