import { describe, expect, it } from 'vitest';
import type { AdminCaller } from '../../../src/admin/admin-context.js';
import { createConsoleSessions } from '../../../src/admin/console/console-sessions.js';

const ann: AdminCaller = { actor: { name: 'ann', authMethod: 'ADMIN_TOKEN' }, role: 'OPERATOR' };
const proof = async () => ann;
const MINUTE = 60_000;

function start() {
  const clock = { now: 0 };
  return { clock, sessions: createConsoleSessions({ now: () => clock.now }) };
}

describe('a session of the console', () => {
  it('ends half an hour after it was used last', async () => {
    const { clock, sessions } = start();
    const secret = sessions.open(proof, 'ann');
    clock.now = 30 * MINUTE - 1;
    expect(await sessions.find(secret)).toEqual({ caller: ann, endsInMs: 30 * MINUTE });
    clock.now += 30 * MINUTE - 1;
    expect(await sessions.find(secret)).toBeDefined();
    clock.now += 30 * MINUTE;
    expect(await sessions.find(secret)).toBeUndefined();
  });

  it('ends after twelve hours, however much it is used', async () => {
    const { clock, sessions } = start();
    const secret = sessions.open(proof, 'ann');
    for (; clock.now < 12 * 60 * MINUTE; clock.now += 20 * MINUTE) expect(await sessions.find(secret)).toBeDefined();
    expect(await sessions.find(secret)).toBeUndefined();
  });

  it('ends when it is closed, and when what was proved is so no more', async () => {
    const { sessions } = start();
    const closed = sessions.open(proof, 'ann');
    sessions.close(closed);
    expect(await sessions.find(closed)).toBeUndefined();
    let isRevoked = false;
    const secret = sessions.open(async () => {
      if (isRevoked) throw new Error('revoked');
      return ann;
    }, 'ann');
    expect(await sessions.find(secret)).toBeDefined();
    isRevoked = true;
    await expect(sessions.find(secret)).rejects.toThrow('revoked');
  });

  it('gives way to the twentieth that comes after it of the same name, and to none of another', async () => {
    const { sessions } = start();
    const bobs = sessions.open(proof, 'bob');
    const [first, second] = Array.from({ length: 21 }, () => sessions.open(proof, 'ann'));
    expect(await sessions.find(first!)).toBeUndefined();
    expect(await sessions.find(second!)).toBeDefined();
    expect(await sessions.find(bobs)).toBeDefined();
  });
});

describe('a code that logs in', () => {
  it('is good once', async () => {
    const { sessions } = start();
    const code = sessions.createCode(ann);
    expect(await sessions.redeem(code)?.()).toEqual(ann);
    expect(sessions.redeem(code)).toBeUndefined();
  });

  it('is good for two minutes', () => {
    const { clock, sessions } = start();
    const codes = [sessions.createCode(ann), sessions.createCode(ann)] as const;
    clock.now = 2 * MINUTE - 1;
    expect(sessions.redeem(codes[0])).toBeDefined();
    clock.now++;
    expect(sessions.redeem(codes[1])).toBeUndefined();
  });
});
