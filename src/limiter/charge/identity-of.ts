import { createHash } from 'node:crypto';
import type { LimitParameters } from '../../model/limit-parameters.js';
import type { CounterIdentity } from '../algorithms/limit-algorithm.js';

type IdentifyingMembers = LimitParameters & { id: string };

/** Returns the identity of a counter, from the cache if it contains it. */
export function identityOf(charge: IdentifyingMembers, identities: Map<string, CounterIdentity>): CounterIdentity {
  const key = identityKey(charge);
  let identity = identities.get(key);
  if (!identity) {
    // UTF-16 keeps lone surrogates distinct; UTF-8 would turn all of them into the same replacement
    // character.
    const digest = createHash('sha256').update(Buffer.from(key, 'utf16le')).digest();
    // `name` is part of a key, so it can be longer than the six bytes of a record.
    identity = {
      hash: digest.readUIntLE(0, 3),
      recordId: digest.toString('latin1', 0, 6),
      name: digest.toString('base64url', 0, 12),
    };
    identities.set(key, identity);
  }
  return identity;
}

/**
 * Returns the identity of a counter within a scope. It is JSON, so that different counters have
 * different identities whatever characters their ids contain.
 */
export function identityKey({ id, algorithm, windowMs, strict, every, carryOver }: IdentifyingMembers): string {
  if (algorithm === 'CALENDAR_WINDOW') return JSON.stringify([id, algorithm, every, carryOver !== undefined]);
  const window = algorithm.includes('WINDOW') ? windowMs : 0;
  return JSON.stringify([id, algorithm, window, algorithm === 'SLIDING_WINDOW_COUNTER' && strict === true]);
}
