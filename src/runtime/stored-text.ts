import { createHash } from 'node:crypto';

/**
 * Returns a text of at most `maxBytes` bytes that any column accepts, without NUL and half
 * surrogate pairs. A longer text is cut and ends in a hash of the complete text, so that two long
 * names stay different.
 */
export function storedText(text: string, maxBytes: number): string {
  // Fast path: most texts are short and plain. Each of their UTF-16 units takes at most three
  // bytes.
  if (text.length * 3 <= maxBytes && !NEEDS_CARE.test(text)) return text;
  const bytes = Buffer.from(text.replaceAll('\0', '\uFFFD'));
  if (bytes.length <= maxBytes) return bytes.toString();
  const hash = `~${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}`;
  // A cut inside a character would produce a replacement character of three bytes.
  let end = maxBytes - hash.length;
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end--;
  return bytes.subarray(0, end).toString() + hash;
}

/** Maximum length of a stored name that a client chose for itself or for an operation, in bytes. */
export const MAX_NAME_BYTES = 200;

/**
 * Returns a name that a client chose, in its stored form and as a copy. Without the copy, V8
 * represents a name of 13 or more characters as a slice of the text that it was read from. The
 * slice keeps that entire text in memory: 64 kB for the name of an operation.
 */
export function keptName(name: string): string {
  return name.length < 13 ? name : Buffer.from(storedText(name, MAX_NAME_BYTES)).toString();
}

export function keptOrNull(name: string | undefined): string | null {
  return name === undefined ? null : keptName(name);
}

/** Matches NUL and surrogates, whose other half may be missing. */
const NEEDS_CARE = /[\0\ud800-\udfff]/;
