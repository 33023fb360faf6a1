import { inject } from 'vitest';
import { createProtectionLimiter, type ProtectionLimiter } from '../../src/limiter/create-limiter.js';
import { PATIENT } from '../helpers/patient.js';
import { uniqueName } from '../helpers/servers.js';

export interface TestEngine {
  name: 'memory' | 'redis';
  /** Starts a limiter with a clock that changes only when the test sets it. */
  start(): { limiter: ProtectionLimiter; clock: { now: number } };
}

/** Both engines, which must behave identically. An engine error fails the test that caused it. */
export const ENGINES: readonly TestEngine[] = (['memory', 'redis'] as const).map((name) => ({
  name,
  start() {
    const clock = { now: 1_700_000_000_000 };
    const limiter = createProtectionLimiter({
      ...(name === 'redis' ? { redis: inject('redisUrl') } : {}),
      now: () => clock.now,
      ...PATIENT,
    });
    return { limiter, clock };
  },
}));

/** Returns a subject that no other test uses. */
export function someone(): { user: string; tenant: string; apiKey: string; ip: string } {
  return { user: uniqueName('user'), tenant: uniqueName('tenant'), apiKey: uniqueName('key'), ip: uniqueName('ip') };
}
