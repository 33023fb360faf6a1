import { randomBytes } from 'node:crypto';

/**
 * Ids for charges: six bytes, one per character. The first three differ between processes; only charges that one key
 * holds at the same time have to be told apart.
 */
export function createChargeIds(): () => string {
  const process = randomBytes(3).toString('latin1');
  let count = 0;
  return () => {
    count = (count + 1) & 0xffffff;
    return process + String.fromCharCode(count & 255, (count >> 8) & 255, count >> 16);
  };
}
