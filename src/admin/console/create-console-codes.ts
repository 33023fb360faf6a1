import { hashSecret } from '../../rules/store/hash-secret.js';
import type { Clock } from '../../runtime/clock.js';
import { newSecret } from './new-secret.js';

/** Codes that are good once, and for two minutes. They are kept as their hashes. */
interface ConsoleCodes {
  create(): string;
  /** @returns whether there was such a code */
  redeem(code: string): boolean;
}

const CODE_MS = 2 * 60_000;
const MAX_CODES = 100;

export function createConsoleCodes(now: Clock): ConsoleCodes {
  /** Until when each is good. */
  const codes = new Map<string, number>();

  return {
    create() {
      const code = newSecret();
      if (codes.size >= MAX_CODES) codes.delete([...codes.keys()][0]!);
      codes.set(hashSecret(code), now() + CODE_MS);
      return code;
    },

    redeem(code) {
      const hash = hashSecret(code);
      const endsMs = codes.get(hash);
      codes.delete(hash);
      return endsMs !== undefined && now() < endsMs;
    },
  };
}
