import { expect, test } from 'vitest';
import { createChargeReader } from '../../../src/limiter/charge/create-charge-reader.js';
import { DenialMemory } from '../../../src/limiter/denials/denial-memory.js';
import type { Question } from '../../../src/limiter/denials/question.js';
import { withDenialMemory } from '../../../src/limiter/denials/with-denial-memory.js';
import type { RedisEngine } from '../../../src/limiter/redis/redis-engine.js';

const LIMIT = { id: 'a', scope: 'USER', cost: 1, algorithm: 'FIXED_WINDOW', amount: 5, windowMs: 1000 } as const;
const request = createChargeReader().read({ user: 'ann' }, [LIMIT]);

test('a charge that waited for the reply to another charge reports its own error', async () => {
  const mistake = new TypeError('mistake');
  const unexpected = () => expect.unreachable();
  const engine: RedisEngine = {
    charge: unexpected,
    decide() {
      throw mistake;
    },
    settle: unexpected,
    count: unexpected,
    renew: unexpected,
    reset: unexpected,
    beat: unexpected,
    probe: unexpected,
    sent: () => undefined,
    anomalies: { repaired: 0, rebased: 0, forgotten: 0 },
    repliedAtMs: () => 0,
    close: unexpected,
  };
  const memory = new DenialMemory({}, () => 0);
  memory.waitFor = () => Promise.resolve(undefined);
  const asked = { isAsked: true, found: undefined } as Question;
  const watch = { askedAtMs: 0, dueAtMs: 0, giveUp: undefined, isExtended: false, line: undefined, isDenied: false };
  const rejection = await new Promise((resolve, reject) =>
    withDenialMemory(engine, memory).decide(request, 'id0001', watch, asked, reject, resolve),
  );
  expect(rejection).toBe(mistake);
});
