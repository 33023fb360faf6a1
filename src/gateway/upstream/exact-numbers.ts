import { randomUUID } from 'node:crypto';

/** A JSON text whose inexact numbers are replaced by strings. */
export interface ExactNumbers {
  /** Whether a number is beyond the doubles, or so long that to read it exactly takes long. */
  readonly hasExtreme: boolean;
  /** To be parsed in place of the text. */
  readonly text: string;
  /** Puts the numbers back, as they were written, into what `JSON.stringify` has made of a part of it. */
  restore(json: string): string;
}

/** Most texts have no number that could change: those up to 15 digits without fraction and exponent do not. */
const MAY_CHANGE = /\d[.eE]|-0|\d{16}/;
const MAX_LENGTH = 400;
const NUMBER = /-?\d[\d.eE+-]*/y;

/**
 * Finds the numbers that JavaScript would write otherwise than they came: beyond 2^53, with more digits than a double has,
 * `1e400`, `-0`, `1.0`. `JSON.parse` before Node 22 tells nothing of how a number was written.
 *
 * @param json valid JSON
 * @returns undefined where there is no such number
 */
export function findInexactNumbers(json: string): ExactNumbers | undefined {
  if (!mayBeInexact(json)) return undefined;
  const numbers: string[] = [];
  // Nobody can write what they cannot guess.
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

/** Whether it is worth looking at each number. @param json the text, or its bytes as Latin-1 */
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
