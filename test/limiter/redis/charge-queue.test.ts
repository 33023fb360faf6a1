import { afterEach, describe, expect, test } from 'vitest';
import { createChargeReader } from '../../../src/limiter/charge/create-charge-reader.js';
import { createChargeQueue } from '../../../src/limiter/redis/charge-queue.js';
import { readReply, type ScriptReply } from '../../../src/limiter/redis/read-reply.js';

const LIMIT = { id: 'a', scope: 'USER', cost: 1, algorithm: 'FIXED_WINDOW', amount: 5, windowMs: 1000 } as const;
const request = createChargeReader().read({ user: 'ann' }, [LIMIT]);
const WATCH = { askedAtMs: 0, dueAtMs: 0, giveUp: undefined, isExtended: false, line: undefined, isDenied: false };

/** Returns a reply of Redis that admits this number of charges. */
function replyOf(charges: number): ScriptReply {
  const admitted = [1, ...new Array<number>(request.numberCount).fill(0)];
  const numbers = [1000, 1000, 0, 0, ...Array.from({ length: charges }, () => admitted).flat()];
  const bytes = Buffer.alloc(8 * numbers.length);
  for (const [i, number] of numbers.entries()) bytes.writeDoubleLE(number, 8 * i);
  return readReply(bytes);
}

/** Sends three charges in one call and returns the outcome of each. */
async function decideThree(
  call: () => Promise<ScriptReply>,
  { decided = () => {}, failed = () => {} }: { decided?: (number: number) => void; failed?: (number: number) => void },
): Promise<string[]> {
  const line = { calls: 0, silentSinceMs: 0, hasReplied: false };
  const queue = createChargeQueue({
    call,
    takeCorrections: () => undefined,
    routes: {
      placeOf: () => '',
      slotPlaceOf: () => '',
      lineTo: () => line,
      track: (_line, made) => made,
      sendSlotBySlot: () => {},
      failing: () => [],
      repliedAtMs: () => 0,
    },
    isCluster: false,
    maxBatch: 32,
    maxCalls: 1,
  });
  const outcomes: string[] = [];
  for (const number of [1, 2, 3]) {
    queue.decide(
      request,
      `id---${number}`,
      WATCH,
      ({ admitted }) => {
        outcomes.push(`${number} admitted: ${admitted}`);
        decided(number);
      },
      (error) => {
        outcomes.push(`${number} failed: ${(error as Error).name}`);
        failed(number);
      },
    );
  }
  for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
  return outcomes;
}

describe('charges that share one call', () => {
  const uncaught: unknown[] = [];
  const note = (error: unknown) => uncaught.push(error);
  const before = process.listeners('unhandledRejection');

  afterEach(() => {
    process.off('unhandledRejection', note);
    for (const listener of before) process.on('unhandledRejection', listener);
    uncaught.length = 0;
  });

  test('each charge of a call gets one outcome, even if the reply lacks the last charge', async () => {
    const outcomes = await decideThree(async () => replyOf(2), {});
    expect(outcomes).toEqual(['1 admitted: true', '2 admitted: true', '3 failed: RangeError']);
  });

  test('each charge of a call gets its outcome, even if the callback of another charge throws', async () => {
    const decided = (number: number) => {
      if (number === 2) throw new TypeError('mistake');
    };
    const outcomes = await decideThree(async () => replyOf(3), { decided });
    expect(outcomes).toEqual(['1 admitted: true', '2 admitted: true', '2 failed: TypeError', '3 admitted: true']);
  });

  test('each charge of a failed call gets the error, and an error that a callback throws becomes an unhandled rejection', async () => {
    process.removeAllListeners('unhandledRejection');
    process.on('unhandledRejection', note);
    const mistake = new TypeError('mistake');
    const failed = (number: number) => {
      if (number === 1) throw mistake;
    };
    const outcomes = await decideThree(() => Promise.reject(new Error('no connection')), { failed });
    expect(outcomes).toEqual(['1 failed: Error', '2 failed: Error', '3 failed: Error']);
    expect(uncaught).toEqual([mistake]);
  });
});
