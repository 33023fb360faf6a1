import { setTimeout as pause } from 'node:timers/promises';
import type { LimitCharge } from '../../src/limiter/charge/create-limit-compiler.js';
import { createLimiter } from '../../src/limiter/create-limiter.js';
import type { EngineFailure } from '../../src/limiter/redis/engine-failure.js';

// A separate process that charges on request. It receives { run, charges, limits }. It replies with
// the number of admitted charges, the number of charges decided without Redis, and the errors that
// prevented Redis from deciding. It sends `ready` when it knows of all instances. On { prepare },
// it replies as soon as its circuit breaker is closed.

const [url = '', instances = '1', deadlineMs = '25'] = process.argv.slice(2);
const failures = new Set<string>();
const observer = {
  failed: ({ class: kind, error }: EngineFailure) =>
    void failures.add(`${kind}: ${error instanceof Error ? error.message : error}`),
};
const limiter = createLimiter({ redis: url, deadlineMs: Number(deadlineMs), observer });

interface Command {
  prepare?: boolean;
  run: string;
  charges: number;
  limits: LimitCharge[];
}

process.on('message', async ({ prepare = false, run, charges, limits }: Command) => {
  if (prepare) {
    while (limiter.health()[0]!.state !== 'CLOSED') await pause(20);
    process.send!('prepared');
    return;
  }
  failures.clear();
  const all = Array.from({ length: charges }, (_, i) => {
    const name = `${process.pid}.${run}.${i}`;
    return limiter.charge({ subject: { user: name, ip: name }, limits });
  });
  const decisions = await Promise.all(all);
  process.send!({
    admitted: decisions.filter(({ admitted }) => admitted).length,
    degraded: decisions.filter(({ degraded }) => degraded).length,
    failures: [...failures],
  });
});
process.on('disconnect', () => void limiter.close());
await limiter.opened;
while (limiter.health()[0]!.instances < Number(instances)) await pause(50);
process.send!('ready');
