import type { FoundConsoleSession } from '../../rules/store/create-console-session-store.js';
import { hashSecret } from '../../rules/store/hash-secret.js';
import type { RulesStore } from '../../rules/store/rules-store.js';
import type { AdminCaller } from '../context/admin-context.js';

interface SessionEndingsOptions {
  store: Pick<RulesStore, 'findConsoleSession' | 'closeConsoleSession'>;
  callerOf(found: FoundConsoleSession, secret: string): AdminCaller | undefined;
  /** Schedules a function. */
  later(run: () => void): void;
}

/** Ends sessions in the database, immediately or later. */
interface SessionEndings {
  /** Ends a session. Resolves to whether it existed. Rejects if the database is unavailable. */
  end(secret: string): Promise<boolean>;
  /**
   * Ends a session as soon as the database responds again. Until then, `has` returns true for it.
   */
  endLater(secret: string): void;
  has(hash: string): boolean;
}

export function createSessionEndings({ store, callerOf, later }: SessionEndingsOptions): SessionEndings {
  /** Hashes of sessions that were ended here and that are still open in the database. */
  const ended = new Set<string>();

  async function end(secret: string): Promise<boolean> {
    const hash = hashSecret(secret);
    const found = await store.findConsoleSession(hash);
    const caller = found && callerOf(found, secret);
    if (caller) await store.closeConsoleSession(hash, caller.actor);
    ended.delete(hash);
    return Boolean(caller);
  }

  function tryLater(secret: string): void {
    later(() => void end(secret).catch(() => tryLater(secret)));
  }

  return {
    end,
    endLater(secret) {
      ended.add(hashSecret(secret));
      tryLater(secret);
    },
    has: (hash) => ended.has(hash),
  };
}
