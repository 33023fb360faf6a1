import type { Subject } from '../../model/subject.js';
import type { SubjectKey } from '../store/subject-key.js';

const KEY = 'key:';
const SUBJECT = 'subject:';

/** Returns the cache key of a user or tenant. It is JSON, because ids may contain any character. */
export function cacheKeyOf({ tenant = '', user = '' }: SubjectKey): string {
  return SUBJECT + JSON.stringify([tenant, user]);
}

/** Returns the cache key of an API key. */
export function cacheKeyOfHash(keyHash: string): string {
  return KEY + keyHash;
}

export function kindOf(key: string): 'api_key' | 'subject' {
  return key.startsWith(KEY) ? 'api_key' : 'subject';
}

/** The inverse of `cacheKeyOfHash`. */
export function hashOf(key: string): string {
  return key.slice(KEY.length);
}

/** The inverse of `cacheKeyOf`. */
export function subjectKeyOf(key: string): SubjectKey {
  const [tenant = '', user = ''] = JSON.parse(key.slice(SUBJECT.length)) as string[];
  return { tenant, user };
}

/**
 * Returns the tags of a caller: its user's row, its tenant's row and its API key. A change of any
 * of them outdates the cached entry.
 */
export function tagsOf({ apiKey, user = '', tenant = '' }: Subject): string[] {
  const tags = [subjectTag({ user, tenant })];
  if (tenant !== '' && user !== '') tags.push(subjectTag({ user: '', tenant }));
  if (apiKey !== undefined) tags.push(apiKeyTag(apiKey));
  return tags;
}

export const subjectTag = ({ user, tenant }: { user: string; tenant: string }) => cacheKeyOf({ user, tenant });
export const apiKeyTag = (prefix: string) => `prefix:${prefix}`;
