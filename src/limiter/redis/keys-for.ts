import { createHash } from 'node:crypto';
import type { ChargedCaller, ChargeSubject, Scope } from '../../model/subject.js';
import { callerOf, isSameCaller, principalKind, principalOf, sharedByAll } from '../../model/subject.js';
import { type Limit, SHAPE } from '../algorithms/limit-algorithm.js';

/**
 * Returns a function that returns the key of the partition in which a limit of the subject counts,
 * `tg:{root}:scope:id`. The root (the tenant, else the principal) is the hash tag, so all limits of
 * one subject's hierarchy share a hash slot, including those of the scope `USER_AND_IP`. Limits per
 * address and global counters have roots of their own, because subjects of different roots share
 * them. Lists have keys of their own.
 */
export function keysFor(subject: ChargeSubject): KeyOf {
  // The same object may hold another caller than before.
  if (subject !== lastSubject || !isSameCaller(lastCaller, subject)) {
    // The caller is copied, because a call that is sent later needs the caller as it was at the
    // time of the charge.
    lastCaller = callerOf(subject);
    // Only the keys of the last caller are kept: reading keys from memory takes as long as building
    // them.
    lastKeyOf = createKeyOf(lastCaller);
    lastSubject = subject;
  }
  return lastKeyOf;
}

export type KeyOf = (limit: Limit) => string;

/**
 * Cache of the last subject. On a Cluster its keys are read several times in a row: for each part
 * of a charge, and for its confirmation.
 */
let lastSubject: ChargeSubject | undefined;
let lastCaller: ChargedCaller = { user: undefined, tenant: undefined, apiKey: undefined, ip: undefined };
let lastKeyOf: KeyOf;

function createKeyOf(caller: ChargedCaller): KeyOf {
  // Variables instead of a record by scope: the look-up of a member by a variable name takes as
  // long as all other steps together.
  let ofUser: string | undefined;
  let ofKey: string | undefined;
  let ofTenant: string | undefined;
  let ofAddress: string | undefined;
  let ofPair: string | undefined;

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
      case 'USER_AND_IP':
        ofPair ??= `tg:{${rootKey(caller)}}:P:${principalKey(caller)}:i.${escapeId(caller.ip ?? '')}`;
        return ofPair;
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

/** Returns the part of a key that determines its hash slot on a Cluster. */
export function hashTag(key: string): string {
  return key.slice(key.indexOf('{') + 1, key.indexOf('}'));
}

/**
 * Roots that counters are stored under, from those that few callers share to those that all share.
 * Each may be in a hash slot of its own.
 */
export const ROOTS = ['SUBJECT', 'ADDRESS', 'COUNTER'] as const;
export const ROOT_OF: Readonly<Record<Scope, (typeof ROOTS)[number]>> = {
  USER_AND_IP: 'SUBJECT',
  USER: 'SUBJECT',
  API_KEY: 'SUBJECT',
  TENANT: 'SUBJECT',
  IP: 'ADDRESS',
  GLOBAL: 'COUNTER',
};

function rootKey(subject: ChargeSubject): string {
  return subject.tenant === undefined ? principalKey(subject) : `t.${escapeId(subject.tenant)}`;
}

/** Namespaces of users, API keys and addresses. */
const PRINCIPAL_PREFIX = { USER: 'u', API_KEY: 'k', IP: 'i' } as const;

function principalKey(subject: ChargeSubject): string {
  return `${PRINCIPAL_PREFIX[principalKind(subject)]}.${escapeId(principalOf(subject))}`;
}

const PLAIN = /^[\w.@-]{1,40}$/;

/**
 * Returns an id as part of a key. Short plain ids stay readable. Others are hashed, so that no byte
 * that a caller chooses can end a key part, open a hash tag or make the key long. The `~` keeps
 * both kinds distinct.
 */
function escapeId(id: string): string {
  if (PLAIN.test(id)) return id;
  // UTF-16 keeps lone surrogates distinct; in UTF-8 all of them are the same.
  return `~${createHash('sha256').update(Buffer.from(id, 'utf16le')).digest('base64url').slice(0, 22)}`;
}
