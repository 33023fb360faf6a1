import { createSkimNames, type Name, type SkimNames, scalarsUpTo } from './create-skim-names.js';

/**
 * Reads a JSON object like `JSON.parse`, except that each string, number and boolean is `true`.
 * Objects that contain only these and have the same names are one frozen object. Short lists of
 * such an object are one frozen list.
 */
export interface Skim {
  /**
   * Returns the object; undefined if the JSON does not have the simple form that a skim can read.
   * Then use `JSON.parse`.
   */
  read(bytes: Uint8Array): Record<string, unknown> | undefined;
  /** Returns the estimated heap size of the learned names in bytes. */
  knownBytes(): number;
  /** Forgets all names. Later reads learn them again. */
  forget(): void;
}

/**
 * State that the reading functions share. They return the end position instead of sharing it: a
 * shared position is slower.
 */
interface Reading {
  readonly names: SkimNames;
  /** Value that was read last. */
  value: unknown;
  /** Last name of the object whose example was read last. */
  exampleEnd: Name | undefined;
}

/** Maximum length of a shared list. A longer list is created for each response. */
const MAX_ALIKE = 32;
/** Maximum depth. `JSON.parse` reads deeper objects, because it is not recursive. */
const MAX_DEPTH = 50;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
/** The space character, which is also the smallest byte that a string may contain. */
const SPACE = 0x20;
const TRUE = Buffer.from('true');
const FALSE = Buffer.from('false');
const NULL = Buffer.from('null');

/** Returned instead of an end position if the bytes do not have the simple form. */
const FAILED = -1;

/**
 * Creates a skim for the responses to one document, which have the same names in the same order.
 * The skim compares known names instead of parsing them, and reuses most objects and lists.
 * Computing the cost of a response needs no scalar values, except type names.
 */
export function createSkim(): Skim {
  const names = createSkimNames();
  const reading: Reading = { names, value: undefined, exampleEnd: undefined };

  return {
    read(bytes) {
      const start = endOfSpace(bytes, 0);
      if (bytes[start] !== OPEN_BRACE) return undefined;
      const end = readObject(reading, bytes, start, MAX_DEPTH);
      const read = reading.value as Record<string, unknown>;
      reading.value = undefined;
      return end !== FAILED && endOfSpace(bytes, end) === bytes.length ? read : undefined;
    },
    knownBytes: names.knownBytes,
    forget() {
      names.forget();
      reading.exampleEnd = undefined;
    },
  };
}

function readObject(reading: Reading, bytes: Uint8Array, start: number, depth: number): number {
  let last = reading.names.root();
  // Created only if the object has a value that is not a scalar.
  let own: Record<string, unknown> | undefined;
  let at = start + 1;
  if (bytes[at]! <= SPACE) at = endOfSpace(bytes, at);
  if (bytes[at] === CLOSE_BRACE) {
    endsWith(reading, last);
    return at + 1;
  }
  for (;;) {
    if (bytes[at] !== QUOTE) return FAILED;
    const name = nameAt(reading.names, bytes, at, last);
    if (name === undefined) return FAILED;
    at += name.bytes.length;
    if (bytes[at]! <= SPACE) at = endOfSpace(bytes, at);
    if (bytes[at] !== COLON) return FAILED;
    at++;
    if (bytes[at]! <= SPACE) at = endOfSpace(bytes, at);
    if (bytes[at] === QUOTE) {
      at = endOfString(bytes, at);
      reading.value = true;
    } else at = readValue(reading, bytes, at, depth);
    if (at === FAILED) return FAILED;
    if (own !== undefined) own[name.text] = reading.value;
    else if (reading.value !== true) {
      own = scalarsUpTo(last);
      own[name.text] = reading.value;
    }
    last = name;
    if (bytes[at]! <= SPACE) at = endOfSpace(bytes, at);
    const byte = bytes[at++];
    if (byte === CLOSE_BRACE) {
      if (own === undefined) endsWith(reading, last);
      else reading.value = own;
      return at;
    }
    if (byte !== COMMA) return FAILED;
    if (bytes[at]! <= SPACE) at = endOfSpace(bytes, at);
  }
}

function endsWith(reading: Reading, last: Name): void {
  reading.value = reading.names.exampleOf(last);
  reading.exampleEnd = last;
}

function readList(reading: Reading, bytes: Uint8Array, start: number, depth: number): number {
  let at = start + 1;
  if (bytes[at]! <= SPACE) at = endOfSpace(bytes, at);
  if (bytes[at] === CLOSE_BRACKET) {
    reading.value = NO_ITEMS;
    return at + 1;
  }
  /** Undefined as long as all items are the same. */
  let list: unknown[] | undefined;
  let first: unknown;
  let firstEnd: Name | undefined;
  let length = 0;
  for (;;) {
    at = readValue(reading, bytes, at, depth);
    if (at === FAILED) return FAILED;
    if (length === 0) {
      first = reading.value;
      firstEnd = reading.exampleEnd;
      if (firstEnd?.example !== first) list = [first];
    } else if (list !== undefined) list.push(reading.value);
    else if (reading.value !== first || length === MAX_ALIKE) {
      list = new Array(length).fill(first);
      list.push(reading.value);
    }
    length++;
    if (bytes[at]! <= SPACE) at = endOfSpace(bytes, at);
    const byte = bytes[at++];
    if (byte === CLOSE_BRACKET) {
      reading.value = list ?? reading.names.listOf(firstEnd!, length);
      return at;
    }
    if (byte !== COMMA) return FAILED;
    if (bytes[at]! <= SPACE) at = endOfSpace(bytes, at);
  }
}

function readValue(reading: Reading, bytes: Uint8Array, at: number, depth: number): number {
  const byte = bytes[at];
  if (byte === OPEN_BRACE) return depth === 0 ? FAILED : readObject(reading, bytes, at, depth - 1);
  if (byte === OPEN_BRACKET) return depth === 0 ? FAILED : readList(reading, bytes, at, depth - 1);
  if (byte === NULL[0]) {
    reading.value = null;
    return endOfWord(bytes, at, NULL);
  }
  reading.value = true;
  if (byte === QUOTE) return endOfString(bytes, at);
  if (byte === TRUE[0]) return endOfWord(bytes, at, TRUE);
  if (byte === FALSE[0]) return endOfWord(bytes, at, FALSE);
  return endOfNumber(bytes, at);
}

/**
 * Returns the name at position `at` of the bytes, which follows `before` in its chain. Learns the
 * name if it is new.
 */
function nameAt(names: SkimNames, bytes: Uint8Array, at: number, before: Name): Name | undefined {
  let name = before.next;
  while (name !== undefined && !isAt(bytes, at, name.bytes)) name = name.sibling;
  if (name !== undefined) return name;
  const end = endOfString(bytes, at);
  return end === FAILED ? undefined : names.learn(bytes.subarray(at, end), before);
}

const NO_ITEMS: readonly unknown[] = Object.freeze([]);

/**
 * Returns whether a string at a position equals `text`. The calling code has already compared the
 * opening quote.
 */
function isAt(bytes: Uint8Array, at: number, text: Uint8Array): boolean {
  for (let i = 1; i < text.length; i++) if (bytes[at + i] !== text[i]) return false;
  return true;
}

/**
 * Returns the position after the white space at `start`. The other functions `endOf...` return end
 * positions in the same way. Most responses contain no white space, so callers check the first byte
 * themselves to avoid a call.
 */
function endOfSpace(bytes: Uint8Array, start: number): number {
  let at = start;
  while (isSpace(bytes[at])) at++;
  return at;
}

function endOfString(bytes: Uint8Array, start: number): number {
  const { length } = bytes;
  let next = start + 1;
  while (next < length) {
    const byte = bytes[next++]!;
    if (byte === QUOTE) return next;
    if (byte < SPACE) return FAILED;
    if (byte === BACKSLASH) {
      next = endOfEscape(bytes, next);
      if (next === FAILED) return FAILED;
    }
  }
  return FAILED;
}

function endOfEscape(bytes: Uint8Array, start: number): number {
  const byte = bytes[start];
  if (byte !== 0x75) return byte !== undefined && ESCAPED.has(byte) ? start + 1 : FAILED;
  for (let i = 1; i <= 4; i++) if (!isHexDigit(bytes[start + i])) return FAILED;
  return start + 5;
}

function endOfDigits(bytes: Uint8Array, start: number): number {
  let at = start;
  while (isDigit(bytes[at])) at++;
  return at > start ? at : FAILED;
}

function endOfNumber(bytes: Uint8Array, start: number): number {
  let at = bytes[start] === 0x2d ? start + 1 : start;
  at = bytes[at] === 0x30 ? at + 1 : endOfDigits(bytes, at);
  if (at !== FAILED && bytes[at] === 0x2e) at = endOfDigits(bytes, at + 1);
  if (at !== FAILED && (bytes[at] === 0x65 || bytes[at] === 0x45)) {
    const sign = bytes[at + 1];
    at = endOfDigits(bytes, sign === 0x2b || sign === 0x2d ? at + 2 : at + 1);
  }
  return at;
}

function endOfWord(bytes: Uint8Array, start: number, word: Uint8Array): number {
  for (let i = 0; i < word.length; i++) if (bytes[start + i] !== word[i]) return FAILED;
  return start + word.length;
}

const ESCAPED = new Set(Buffer.from('"\\/bfnrt'));

function isSpace(byte: number | undefined): boolean {
  return byte === SPACE || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

function isHexDigit(byte: number | undefined): boolean {
  return isDigit(byte) || (byte !== undefined && (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);
}
