import { describe, expect, it } from 'vitest';
import type { Limit } from '../../../src/limiter/algorithms/limit-algorithm.js';
import { hashTag, keysFor } from '../../../src/limiter/redis/keys-for.js';
import type { ChargeSubject, Scope } from '../../../src/model/subject.js';

const keyOf = (subject: ChargeSubject, scope: Scope) =>
  keysFor({ ...subject })({ scope, shape: 0, identity: { name: 'n' } } as unknown as Limit);
const pair = (subject: ChargeSubject) => keyOf(subject, 'USER_AND_IP');

describe('keys of pairs of a user and an address', () => {
  it('are in the hash slot of the user, so that one call charges both', () => {
    for (const subject of [
      { user: 'ann', ip: '192.0.2.1' },
      { user: 'ann', tenant: 'acme', ip: '192.0.2.1' },
      { apiKey: 'tg_1', ip: '2001:db8::/64' },
      { ip: '192.0.2.1' },
    ]) {
      expect(hashTag(pair(subject))).toBe(hashTag(keyOf(subject, 'USER')));
    }
  });

  it('differ for each user, kind of caller, tenant and address, whatever characters they contain', () => {
    const subjects: ChargeSubject[] = [
      { user: 'ann', ip: '192.0.2.1' },
      { user: 'ann', ip: '192.0.2.2' },
      { user: 'ben', ip: '192.0.2.1' },
      { apiKey: 'ann', ip: '192.0.2.1' },
      { user: 'ann', tenant: 'acme', ip: '192.0.2.1' },
      { user: 'ann:i.192.0.2.1', ip: '192.0.2.1' },
      { user: 'ann', ip: '192.0.2.1:i.192.0.2.1' },
      { user: 'a}b{', ip: '2001:db8::/64' },
      { ip: '192.0.2.1' },
    ];
    const keys = subjects.flatMap((subject) => [pair(subject), keyOf(subject, 'USER'), keyOf(subject, 'IP')]);
    expect(new Set(subjects.map(pair)).size).toBe(subjects.length);
    expect(keys.filter((key) => key.includes(':P:'))).toHaveLength(subjects.length);
  });
});
