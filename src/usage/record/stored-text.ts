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

/** NUL, and halves of surrogate pairs, which may lack the other one. */
const NEEDS_CARE = /[\0\ud800-\udfff]/;
