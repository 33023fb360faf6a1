import { createHash } from 'node:crypto';
import type { Scope } from '../../model/rule.js';
import { type Limit, SHAPE } from '../limit.js';
import type { ChargeSubject } from '../types.js';

/**
 * The keys of the partitions that this subject's limits count in: `tg:{root}:scope:id`. The root (the tenant, else the
 * principal) is the hash tag, so that all limits of one subject's hierarchy share a slot. Addresses beside another root,
 * and global counters, have roots of their own: they are shared by subjects of any root. Lists have keys of their own.
 */
export function keysFor(subject: ChargeSubject): (limit: Limit) => string {
  const known: Partial<Record<Scope, string>> = {};
  return (limit) => {
    if (limit.scope === 'GLOBAL') return partitionKey(subject, limit);
    let key = known[limit.scope];
    if (key === undefined) {
      key = partitionKey(subject, limit);
      known[limit.scope] = key;
    }
    return limit.shape === SHAPE.LIST ? `${key}:${limit.identity.name}` : key;
  };
}

/** The part of a key that decides its slot on a cluster. */
export function hashTag(key: string): string {
  return key.slice(key.indexOf('{') + 1, key.indexOf('}'));
}

function partitionKey(subject: ChargeSubject, limit: Limit): string {
  switch (limit.scope) {
    case 'USER':
      return `tg:{${rootOf(subject)}}:U:${principalOf(subject)}`;
    case 'API_KEY':
      return `tg:{${rootOf(subject)}}:K:k.${escapeId(subject.apiKey ?? '')}`;
    case 'TENANT':
      return `tg:{${rootOf(subject)}}:T:`;
    case 'IP': {
      const address = `i.${escapeId(subject.ip ?? '')}`;
      return `tg:{${address}}:I:${address}`;
    }
    case 'GLOBAL':
      return `tg:{g.${limit.identity.name}}:G:`;
  }
}

function rootOf(subject: ChargeSubject): string {
  return subject.tenant === undefined ? principalOf(subject) : `t.${escapeId(subject.tenant)}`;
}

/** Who `USER` means: the user, else the API key, else the address, each in a namespace of its own. */
function principalOf({ user, apiKey, ip }: ChargeSubject): string {
  if (user !== undefined) return `u.${escapeId(user)}`;
  return apiKey === undefined ? `i.${escapeId(ip ?? '')}` : `k.${escapeId(apiKey)}`;
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
