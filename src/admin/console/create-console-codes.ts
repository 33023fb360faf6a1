import { hashSecret } from '../../rules/store/hash-secret.js';
import type { Clock } from '../../runtime/clock.js';
import { newSecret } from './new-secret.js';

/** Login codes. Each is valid once and for two minutes. Only their hashes are kept. */
interface ConsoleCodes {
  create(): string;
  /** Uses up a code. Returns whether it was known and had not expired. */
  redeem(code: string): boolean;
}

const CODE_MS = 2 * 60_000;
const MAX_CODES = 100;

export function createConsoleCodes(now: Clock): ConsoleCodes {
  /** Expiry by the hash of the code, in milliseconds on the clock `now`. */
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
