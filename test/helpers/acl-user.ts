import type { Redis } from 'ioredis';
import { codeBlocks } from '../docs/documents.js';

export const ACL_PASSWORD = 'a-password-for-tests';

/** Users that the pages create: for the Redis of an instance, and for those of other regions. */
type DocumentedUser = 'tollgate' | 'regions';

/** Returns the command of the pages that creates a Redis user with only the rights that Tollgate needs. */
function documentedAcl(user: DocumentedUser): string[] {
  const [block, ...others] = codeBlocks().filter(
    ({ language, code }) => language === 'redis' && code.startsWith(`ACL SETUSER ${user} `),
  );
  if (!block || others.length > 0) throw new Error(`expected one block of the pages that creates the user ${user}`);
  return block.code.replace('PASSWORD', ACL_PASSWORD).split(' ');
}

/** Creates a documented user, and clears Redis' log of ACL violations. */
export async function restrict(redis: Redis, user: DocumentedUser = 'tollgate'): Promise<void> {
  const [command, ...args] = documentedAcl(user);
  await redis.call(command!, ...args);
  await redis.call('ACL', 'LOG', 'RESET');
}

/** Returns a line for each entry in Redis' log of ACL violations: reason, object, context, user. */
export async function deniedTo(redis: Redis): Promise<string[]> {
  const entries = (await redis.call('ACL', 'LOG')) as unknown[][];
  return entries.map((entry) => {
    const of = (name: string) => String(entry[entry.indexOf(name) + 1]);
    return `${of('reason')} ${of('object')} in ${of('context')} of ${of('username')}`;
  });
}

export function asUser(url: string, user: DocumentedUser = 'tollgate'): string {
  return url.replace('://', `://${user}:${ACL_PASSWORD}@`);
}
