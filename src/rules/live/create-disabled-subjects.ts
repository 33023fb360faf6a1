import { LRUCache } from 'lru-cache';
import type { Connections } from '../../postgres/db.js';
import { atMost } from '../../runtime/sized-cache.js';
import type { SubjectKey } from '../store/subject-key.js';

/**
 * The disabled users and tenants, in memory. They stay disabled while PostgreSQL is unavailable,
 * even if no cache has an entry for them.
 */
interface DisabledSubjects {
  /** Replaces all entries. The keys are in the order in which they were disabled, oldest first. */
  replace(keys: readonly SubjectKey[]): void;
  set(key: SubjectKey, isDisabled: boolean): void;
  /** Whether the user or their tenant is disabled. */
  has(key: SubjectKey): boolean;
}

/** Maximum number of entries. If there are more, only those disabled most recently are kept. */
export const MAX_DISABLED_SUBJECTS = 10_000;

export function createDisabledSubjects(): DisabledSubjects {
  const disabled = new LRUCache<string, true>(atMost(MAX_DISABLED_SUBJECTS));
  const set = (key: SubjectKey, isDisabled: boolean) => {
    if (isDisabled) disabled.set(nameOf(key), true);
    else disabled.delete(nameOf(key));
  };
  return {
    replace(keys) {
      disabled.clear();
      for (const key of keys) set(key, true);
    },
    set,
    has: ({ user = '', tenant = '' }) =>
      disabled.peek(nameOf({ user, tenant })) === true || (tenant !== '' && disabled.peek(nameOf({ tenant })) === true),
  };
}

/** Returns the 10,000 users and tenants that were disabled most recently, latest last. */
export async function readDisabledSubjects(db: Connections): Promise<SubjectKey[]> {
  const latestFirst = await db.query<{ user: string; tenant: string }>(
    `select user_id as user, tenant_id as tenant from subjects
     where disabled_at is not null order by disabled_at desc limit ${MAX_DISABLED_SUBJECTS}`,
  );
  return latestFirst.reverse();
}

/** Returns the name of an entry. It is JSON, because ids may contain any character. */
function nameOf({ user = '', tenant = '' }: SubjectKey): string {
  return JSON.stringify([tenant, user]);
}
