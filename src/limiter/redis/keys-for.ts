import { createHash } from 'node:crypto';
import type { ChargedCaller, ChargeSubject, Scope } from '../../model/subject.js';
import { callerOf, isSameCaller, principalKind, principalOf, sharedByAll } from '../../model/subject.js';
import { type Limit, SHAPE } from '../algorithms/limit-algorithm.js';

/**
 * The keys of the partitions that this subject's limits count in: `tg:{root}:scope:id`. The root (the tenant, else the
 * principal) is the hash tag, so that all limits of one subject's hierarchy share a slot. Addresses beside another root,
 * and global counters, have roots of their own: they are shared by subjects of any root. Lists have keys of their own.
 */
export function keysFor(subject: ChargeSubject): KeyOf {
  // One object may be used for one caller after the other.
  if (subject !== lastSubject || !isSameCaller(lastCaller, subject)) {
    lastCaller = callerOf(subject);
    // What is asked for when a call leaves is whose it was when it was charged. The keys of more callers than the last one are not
    // kept: to read them out of memory takes as long as to put them together.
    lastKeyOf = createKeyOf(lastCaller);
    lastSubject = subject;
  }
  return lastKeyOf;
}

export type KeyOf = (limit: Limit) => string;

/** On a Cluster the keys of one subject are asked for several times in a row: for each part of a charge, and as it is confirmed. */
let lastSubject: ChargeSubject | undefined;
let lastCaller: ChargedCaller = { user: undefined, tenant: undefined, apiKey: undefined, ip: undefined };
let lastKeyOf: KeyOf;

function createKeyOf(caller: ChargedCaller): KeyOf {
  // Not a record by scope: reading it by a name that changes takes as long as all else that a key needs.
  let ofUser: string | undefined;
  let ofKey: string | undefined;
  let ofTenant: string | undefined;
  let ofAddress: string | undefined;

  function partitionOf(limit: Limit): string {
    switch (limit.scope) {
      case 'USER':
        ofUser ??= `tg:{${rootKey(caller)}}:U:${principalKey(caller)}`;
        return ofUser;
      case 'API_KEY':
        ofKey ??= `tg:{${rootKey(caller)}}:K:k.${escapeId(caller.apiKey ?? '')}`;
        return ofKey;
      case 'TENANT':
        ofTenant ??= `tg:{${rootKey(caller)}}:T:`;
        return ofTenant;
      case 'IP':
        ofAddress ??= addressKey(caller.ip ?? '');
        return ofAddress;
      case 'GLOBAL':
        return `tg:{g.${limit.identity.name}}:G:`;
    }
  }

  return (limit) => {
    const key = partitionOf(limit);
    return limit.shape === SHAPE.LIST && !sharedByAll(limit.scope) ? `${key}:${limit.identity.name}` : key;
  };
}

function addressKey(ip: string): string {
  const address = `i.${escapeId(ip)}`;
  return `tg:{${address}}:I:${address}`;
}

/** The part of a key that decides its slot on a cluster. */
export function hashTag(key: string): string {
  return key.slice(key.indexOf('{') + 1, key.indexOf('}'));
}

/** What the counters of a scope hang under, from what few callers share to what all do: each may be in a slot of its own. */
export const ROOTS = ['SUBJECT', 'ADDRESS', 'COUNTER'] as const;
export const ROOT_OF: Readonly<Record<Scope, (typeof ROOTS)[number]>> = {
  USER: 'SUBJECT',
  API_KEY: 'SUBJECT',
  TENANT: 'SUBJECT',
  IP: 'ADDRESS',
  GLOBAL: 'COUNTER',
};

function rootKey(subject: ChargeSubject): string {
  return subject.tenant === undefined ? principalKey(subject) : `t.${escapeId(subject.tenant)}`;
}

/** Users, API keys and addresses each have a namespace of their own. */
const PRINCIPAL_PREFIX = { USER: 'u', API_KEY: 'k', IP: 'i' } as const;

function principalKey(subject: ChargeSubject): string {
  return `${PRINCIPAL_PREFIX[principalKind(subject)]}.${escapeId(principalOf(subject))}`;
}

const PLAIN = /^[\w.@-]{1,40}$/;

/**
 * An id as part of a key: short plain ones stay readable; the rest is hashed, so that no byte of the caller's choice can
 * end a key part, open a hash tag or make the key long. The `~` keeps both kinds apart.
 */
function escapeId(id: string): string {
  if (PLAIN.test(id)) return id;
  // UTF-16 keeps lone surrogates apart, which are all the same in UTF-8.
  return `~${createHash('sha256').update(Buffer.from(id, 'utf16le')).digest('base64url').slice(0, 22)}`;
}
