import { createHash } from 'node:crypto';

/**
 * A text that any column takes, of at most so many bytes: no NUL, no half of a surrogate pair. One that is longer is cut,
 * and ends in a hash of the whole, so that two callers do not become one.
 */
export function storedText(text: string, maxBytes: number): string {
  // Most are short and plain: three bytes is the most that one of these characters takes.
  if (text.length * 3 <= maxBytes && !NEEDS_CARE.test(text)) return text;
  const bytes = Buffer.from(text.replaceAll('\0', '\uFFFD'));
  if (bytes.length <= maxBytes) return bytes.toString();
  const hash = `~${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}`;
  // Cutting may halve a character, which is then three bytes of replacement.
  let end = maxBytes - hash.length;
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end--;
  return bytes.subarray(0, end).toString() + hash;
}

/** What is stored of a name that a client chose: of an operation, or of itself. */
export const MAX_NAME_BYTES = 200;

/**
 * A client's name for as long as it is kept in memory: as it will be stored, and a copy. V8 takes a name of 13 letters or
 * more for a part of the text that it was read from, and keeps all of that: 64 kB for the name of an operation.
 */
export function keptName(name: string): string {
  return name.length < 13 ? name : Buffer.from(storedText(name, MAX_NAME_BYTES)).toString();
}

export function keptOrNull(name: string | undefined): string | null {
  return name === undefined ? null : keptName(name);
}

/** NUL, and halves of surrogate pairs, which may lack the other one. */
const NEEDS_CARE = /[\0\ud800-\udfff]/;
