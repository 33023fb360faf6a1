// One of several processes that share a limit. For each message, it charges the limit and returns
// the number of admitted operations.
import { createLimiter } from '../../src/limiter/create-limiter.js';
import { keepInFlight } from '../frame/keep-in-flight.js';
import type { ShareRequest, ShareResult } from './sharers.js';

const IN_FLIGHT = 64;
const limiter = createLimiter({ redis: process.argv[2]!, deadlineMs: 1000 });
await limiter.opened;

process.on('message', async ({ id, amount, precision, durationMs }: ShareRequest) => {
  const windowMs = 86_400_000;
  const limits = [{ id, scope: 'GLOBAL', algorithm: 'FIXED_WINDOW', amount, windowMs, precision, cost: 1 } as const];
  const subject = { user: 'anyone' };
  let admitted = 0;
  let isOver = false;
  const before = process.cpuUsage();
  await keepInFlight(IN_FLIGHT, durationMs, async () => {
    // Stops charging after the first denial, because a denial takes a different amount of work.
    if (isOver) return void (await new Promise((resolve) => setTimeout(resolve, durationMs / 10)));
    const decision = await limiter.charge({ subject, limits });
    if (decision.degraded) throw new Error('Redis did not decide');
    if (decision.admitted) admitted++;
    else isOver = true;
  });
  const { user, system } = process.cpuUsage(before);
  process.send?.({ admitted, nodeCpuUs: user + system } satisfies ShareResult);
});
process.once('disconnect', () => void limiter.close());
process.send?.('ready');
