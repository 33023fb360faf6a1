import { createHash } from 'node:crypto';

/**
 * Returns a text of at most `maxBytes` bytes that any column accepts, without NUL and half
 * surrogate pairs. A longer text is cut and ends in a hash of the whole, so that two callers do not
 * become one.
 */
export function storedText(text: string, maxBytes: number): string {
  // Fast path: most texts are short and plain. One of these characters takes at most three bytes.
  if (text.length * 3 <= maxBytes && !NEEDS_CARE.test(text)) return text;
  const bytes = Buffer.from(text.replaceAll('\0', '\uFFFD'));
  if (bytes.length <= maxBytes) return bytes.toString();
  const hash = `~${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}`;
  // Cutting inside a character would replace it by three bytes.
  let end = maxBytes - hash.length;
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end--;
  return bytes.subarray(0, end).toString() + hash;
}

/** Maximum length of a stored name that a client chose: the operation's, or its own. */
export const MAX_NAME_BYTES = 200;

/**
 * Returns a client's name in its stored form, as a copy for keeping in memory. V8 represents a name
 * of 13 or more characters as a slice of the text that it was read from. The slice keeps that whole
 * text in memory: 64 kB for the name of an operation.
 */
export function keptName(name: string): string {
  return name.length < 13 ? name : Buffer.from(storedText(name, MAX_NAME_BYTES)).toString();
}

export function keptOrNull(name: string | undefined): string | null {
  return name === undefined ? null : keptName(name);
}

/** Matches NUL and surrogates, whose other half may be missing. */
const NEEDS_CARE = /[\0\ud800-\udfff]/;
