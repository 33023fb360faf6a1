import { randomUUID } from 'node:crypto';

/** A JSON text whose inexact numbers are replaced by strings. */
export interface ExactNumbers {
  /**
   * Whether a number is outside the range of doubles, or so long that parsing it exactly is slow.
   */
  readonly hasExtreme: boolean;
  /** Text to parse in place of the original. */
  readonly text: string;
  /**
   * Restores the original numbers in JSON that `JSON.stringify` produced from the parsed `text`, or
   * from a part of it.
   */
  restore(json: string): string;
}

/**
 * Fast check: most texts have no number that could change. Numbers of up to 15 digits without
 * fraction and exponent cannot change.
 */
const MAY_CHANGE = /\d[.eE]|-0|\d{16}/;
const MAX_LENGTH = 400;
const NUMBER = /-?\d[\d.eE+-]*/y;

/**
 * Finds the numbers that JavaScript would write differently: beyond 2^53, with more digits than a
 * double has, `1e400`, `-0`, `1.0`. It scans the text itself, because `JSON.parse` provides the
 * source text of a number only since Node 22.
 *
 * @param json valid JSON
 * @returns the text without these numbers; undefined if there are none
 */
export function findInexactNumbers(json: string): ExactNumbers | undefined {
  if (!mayBeInexact(json)) return undefined;
  const numbers: string[] = [];
  // The mark must not be guessable. Otherwise a caller could send a string with the mark, which
  // would become a number.
  const mark = randomUUID();
  let text = '';
  let hasExtreme = false;
  let copied = 0;
  let at = 0;
  while (at < json.length) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfString(json, at);
    else if (code === MINUS || (code >= ZERO && code <= NINE)) {
      NUMBER.lastIndex = at;
      const [written = ''] = NUMBER.exec(json) ?? [];
      const end = at + Math.max(written.length, 1);
      const number = Number(written);
      if (JSON.stringify(number) !== written) {
        hasExtreme ||= !Number.isFinite(number) || written.length > MAX_LENGTH;
        text += `${json.slice(copied, at)}"${mark}-${numbers.length}"`;
        copied = end;
        numbers.push(written);
      }
      at = end;
    } else at++;
  }
  if (numbers.length === 0) return undefined;
  const marks = new RegExp(`"${mark}-(\\d+)"`, 'g');
  return {
    hasExtreme,
    text: text + json.slice(copied),
    restore: (part) => part.replace(marks, (_, index) => numbers[Number(index)]!),
  };
}

/**
 * Returns whether a text may contain inexact numbers.
 * @param json the text, or its bytes as Latin-1
 */
export function mayBeInexact(json: string): boolean {
  return MAY_CHANGE.test(json);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;

function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (end > 0 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end < 0 ? json.length : end + 1;
}

function isEscaped(json: string, at: number): boolean {
  let first = at;
  while (json.charCodeAt(first - 1) === BACKSLASH) first--;
  return (at - first) % 2 === 1;
}
