import { createHash, randomBytes } from 'node:crypto';
import type { AdminCaller } from '../admin-context.js';

export interface ConsoleSessionsOptions {
  /** Milliseconds that only go forward. @default performance.now */
  now?: () => number;
}

/** What was proved when a session was opened: asked again for each request, so that a revoked token ends its sessions at once. */
export type Proof = () => Promise<AdminCaller>;

export interface ConsoleSessions {
  /** The secret of a new session, for its cookie alone; of too many sessions of one person the oldest ends. */
  open(proof: Proof, name: string): string;
  /** Whose session it is, and when it ends; undefined when there is none of that secret any more. Throws what the proof does. */
  find(secret: string): Promise<{ caller: AdminCaller; endsInMs: number } | undefined>;
  close(secret: string): void;
  /** A code that opens one session of this caller, within two minutes. */
  createCode(caller: AdminCaller): string;
  /** The proof that a code stands for, once; undefined for a code that there is not, or no more. */
  redeem(code: string): Proof | undefined;
}

const IDLE_MS = 30 * 60_000;
const LONGEST_MS = 12 * 3_600_000;
const CODE_MS = 2 * 60_000;
/** Of each name, so that who has a good token fills no memory, and logs out only themselves. */
const MAX_SESSIONS = 20;
const MAX_CODES = 100;

/**
 * The sessions of the console's pages, in the memory of this process: they end with it. Secrets are 256 random bits and kept as
 * their hashes; a token stays in the memory of the process and is written nowhere.
 */
export function createConsoleSessions({ now = () => performance.now() }: ConsoleSessionsOptions = {}): ConsoleSessions {
  const sessions = new Map<string, { proof: Proof; name: string; openedMs: number; usedMs: number }>();
  const codes = new Map<string, { proof: Proof; endsMs: number }>();

  const isOver = ({ openedMs, usedMs }: { openedMs: number; usedMs: number }) =>
    now() - openedMs >= LONGEST_MS || now() - usedMs >= IDLE_MS;

  return {
    open(proof, name) {
      const secret = newSecret();
      for (const [key, session] of sessions) if (isOver(session)) sessions.delete(key);
      const theirs = [...sessions].filter(([, session]) => session.name === name);
      if (theirs.length >= MAX_SESSIONS) sessions.delete(theirs[0]![0]);
      sessions.set(hashOf(secret), { proof, name, openedMs: now(), usedMs: now() });
      return secret;
    },

    async find(secret) {
      const key = hashOf(secret);
      const session = sessions.get(key);
      if (!session) return undefined;
      if (isOver(session)) {
        sessions.delete(key);
        return undefined;
      }
      const caller = await session.proof();
      session.usedMs = now();
      return { caller, endsInMs: Math.min(IDLE_MS, LONGEST_MS - (now() - session.openedMs)) };
    },

    close(secret) {
      sessions.delete(hashOf(secret));
    },

    createCode(caller) {
      const code = newSecret();
      if (codes.size >= MAX_CODES) codes.delete([...codes.keys()][0]!);
      codes.set(hashOf(code), { proof: async () => caller, endsMs: now() + CODE_MS });
      return code;
    },

    redeem(code) {
      const key = hashOf(code);
      const found = codes.get(key);
      codes.delete(key);
      return found && now() < found.endsMs ? found.proof : undefined;
    },
  };
}

function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** A look-up by the hash takes the same time whatever of the secret was guessed. */
function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64');
}
