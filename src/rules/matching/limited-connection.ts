import { randomBytes } from 'node:crypto';
import type { BoundLimit } from './prepare-rule.js';

/** A WebSocket, with the limits that have a counter for it alone (`perConnection`). */
export interface LimitedConnection {
  /** Id that no other connection has, on any instance. */
  readonly id: string;
  readonly limits: Map<BoundLimit, BoundLimit>;
}

export function createLimitedConnection(): LimitedConnection {
  return { id: randomBytes(9).toString('base64url'), limits: new Map() };
}

/**
 * Returns a limit with a counter for one connection. It is the same object for the same connection.
 * Returns undefined without a connection.
 */
export function limitOfConnection(
  limit: BoundLimit,
  connection: LimitedConnection | undefined,
): BoundLimit | undefined {
  if (connection === undefined) return undefined;
  let own = connection.limits.get(limit);
  if (own === undefined) {
    own = { ...limit, id: `${limit.id}|connection|${connection.id}` };
    connection.limits.set(limit, own);
  }
  return own;
}
