import type { Subject } from '../../model/subject.js';
import type { SubjectKey } from '../store/subject-key.js';

const KEY = 'key:';
const SUBJECT = 'subject:';

/** What the entry of a user or tenant is kept under. JSON, because ids may hold any character. */
export function cacheKeyOf({ tenant = '', user = '' }: SubjectKey): string {
  return SUBJECT + JSON.stringify([tenant, user]);
}

/** What the entry of an API key is kept under. */
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

/** What a caller hangs on: its key, its user's row, its tenant's row. */
export function tagsOf({ apiKey, user = '', tenant = '' }: Subject): string[] {
  const tags = [subjectTag({ user, tenant })];
  if (tenant !== '' && user !== '') tags.push(subjectTag({ user: '', tenant }));
  if (apiKey !== undefined) tags.push(apiKeyTag(apiKey));
  return tags;
}

export const subjectTag = ({ user, tenant }: { user: string; tenant: string }) => cacheKeyOf({ user, tenant });
export const apiKeyTag = (prefix: string) => `prefix:${prefix}`;
