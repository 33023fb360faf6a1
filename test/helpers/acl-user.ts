import type { Redis } from 'ioredis';
import { codeBlocks } from '../docs/documents.js';

export const ACL_PASSWORD = 'a-password-for-tests';

/**
 * Returns the command of docs/limits.md that creates a Redis user with only the rights that
 * Tollgate needs.
 */
export function documentedAcl(): string[] {
  const [block, ...others] = codeBlocks().filter(({ language }) => language === 'redis');
  if (!block || others.length > 0) throw new Error('expected one block of Redis commands in the documentation');
  return block.code.replace('PASSWORD', ACL_PASSWORD).split(' ');
}

/** Creates the documented user, and clears Redis' log of ACL violations. */
export async function restrict(redis: Redis): Promise<void> {
  const [command, ...args] = documentedAcl();
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

export function asUser(url: string): string {
  return url.replace('://', `://tollgate:${ACL_PASSWORD}@`);
}
