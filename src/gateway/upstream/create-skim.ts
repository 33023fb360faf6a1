/**
 * Reads a JSON object as `JSON.parse` does, but for its scalars: each is `true`. Objects that hold scalars alone, and have the same
 * names, are one frozen object, and short lists of such an object one frozen list.
 */
export interface Skim {
  /** Undefined for all that is not plainly of the form that came before: ask `JSON.parse` then. */
  read(bytes: Uint8Array): Record<string, unknown> | undefined;
  /** Of the heap, estimated: what it remembers of names. */
  knownBytes(): number;
  /** Forgets all names, and learns anew. */
  forget(): void;
}

/** A name after others: all of them, in one order, are what the objects of one selection have. */
interface Name {
  /** Interned, as the names of all properties are. */
  readonly text: string;
  readonly bytes: Uint8Array;
  /** Undefined of the root, which stands before all names. */
  readonly before: Name | undefined;
  /** An object with these names, all of them scalars; made for the first one that ends here. */
  example: Readonly<Record<string, unknown>> | undefined;
  /** Lists of the example alone, by their length. */
  lists: (readonly unknown[] | undefined)[] | undefined;
  /** What may come next, one of which names the others. */
  next: Name | undefined;
  readonly sibling: Name | undefined;
}

/** Beyond so many, names are data: a map as a scalar, say. */
const MAX_NAMES = 500;
/** What a name takes with all that belongs to it, and what it takes in an example. */
const NAME_BYTES = 500;
const EXAMPLE_BYTES = 50;
/** Of lists up to so many items so many are kept, each of which takes about so much. */
const MAX_ALIKE = 32;
const MAX_LISTS = 200;
const LIST_BYTES = 500;
/** Deeper than that `JSON.parse` reads, which does not call itself. */
const MAX_DEPTH = 50;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
/** And the first byte that a string may hold. */
const SPACE = 0x20;
const TRUE = Buffer.from('true');
const FALSE = Buffer.from('false');
const NULL = Buffer.from('null');

/** A name as GraphQL has them: nothing in it is escaped. `__proto__` would be none of an object that is made here. */
const PLAIN_NAME = /^(?!__proto__$)[A-Za-z_]\w*$/;
/** In place of where something ends: it is not plainly of its form. */
const FAILED = -1;

/**
 * For the answers to one document, which have the same names in the same order: with what came before known, a name is compared and not
 * read, and most objects and lists need not be made. To count an answer no scalar has to be known, unless it tells a type.
 */
export function createSkim(): Skim {
  let root = createName('', NULL, undefined);
  let names = 0;
  let lists = 0;
  let knownBytes = 0;
  /** What was read last. Functions that read return where it ends: a place that all of them share is slower than one that is passed on. */
  let value: unknown;

  function learnName(bytes: Uint8Array, start: number, before: Name): Name | undefined {
    if (names >= MAX_NAMES) return undefined;
    const end = endOfString(bytes, start);
    if (end === FAILED) return undefined;
    const own = Uint8Array.from(bytes.subarray(start, end));
    const name = Buffer.from(own.subarray(1, -1)).toString('latin1');
    if (!PLAIN_NAME.test(name)) return undefined;
    names++;
    knownBytes += NAME_BYTES + 2 * own.length;
    before.next = createName(name, own, before);
    return before.next;
  }

  function exampleOf(last: Name): Readonly<Record<string, unknown>> {
    if (last.example === undefined) {
      last.example = Object.freeze(scalarsUpTo(last));
      knownBytes += EXAMPLE_BYTES * Object.keys(last.example).length;
    }
    return last.example;
  }

  function listOf(last: Name, length: number): readonly unknown[] {
    const known = last.lists?.[length];
    if (known !== undefined) return known;
    const list = Object.freeze(new Array(length).fill(exampleOf(last)));
    if (lists >= MAX_LISTS) return list;
    last.lists ??= [];
    last.lists[length] = list;
    lists++;
    knownBytes += LIST_BYTES;
    return list;
  }

  function readObject(bytes: Uint8Array, start: number, depth: number): number {
    let last = root;
    // Made where it has something that no other has.
    let own: Record<string, unknown> | undefined;
    let at = start + 1;
    if (bytes[at]! <= SPACE) at = endOfSpace(bytes, at);
    if (bytes[at] === CLOSE_BRACE) {
      endsWith(root);
      return at + 1;
    }
    for (;;) {
      if (bytes[at] !== QUOTE) return FAILED;
      let name = last.next;
      while (name !== undefined && !isAt(bytes, at, name.bytes)) name = name.sibling;
      name ??= learnName(bytes, at, last);
      if (name === undefined) return FAILED;
      at += name.bytes.length;
      if (bytes[at]! <= SPACE) at = endOfSpace(bytes, at);
      if (bytes[at] !== COLON) return FAILED;
      at++;
      if (bytes[at]! <= SPACE) at = endOfSpace(bytes, at);
      if (bytes[at] === QUOTE) {
        at = endOfString(bytes, at);
        value = true;
      } else at = readValue(bytes, at, depth);
      if (at === FAILED) return FAILED;
      if (own !== undefined) own[name.text] = value;
      else if (value !== true) {
        own = scalarsUpTo(last);
        own[name.text] = value;
      }
      last = name;
      if (bytes[at]! <= SPACE) at = endOfSpace(bytes, at);
      const byte = bytes[at++];
      if (byte === CLOSE_BRACE) {
        if (own === undefined) endsWith(last);
        else value = own;
        return at;
      }
      if (byte !== COMMA) return FAILED;
      if (bytes[at]! <= SPACE) at = endOfSpace(bytes, at);
    }
  }

  /** Of the object whose example was read last, its last name. */
  let exampleEnd: Name | undefined;

  function endsWith(last: Name): void {
    value = exampleOf(last);
    exampleEnd = last;
  }

  function readList(bytes: Uint8Array, start: number, depth: number): number {
    let at = start + 1;
    if (bytes[at]! <= SPACE) at = endOfSpace(bytes, at);
    if (bytes[at] === CLOSE_BRACKET) {
      value = NO_ITEMS;
      return at + 1;
    }
    /** Undefined as long as all items are the same. */
    let list: unknown[] | undefined;
    let first: unknown;
    let firstEnd: Name | undefined;
    let length = 0;
    for (;;) {
      at = readValue(bytes, at, depth);
      if (at === FAILED) return FAILED;
      if (length === 0) {
        first = value;
        firstEnd = exampleEnd;
        if (firstEnd?.example !== first) list = [first];
      } else if (list !== undefined) list.push(value);
      else if (value !== first || length === MAX_ALIKE) {
        list = new Array(length).fill(first);
        list.push(value);
      }
      length++;
      if (bytes[at]! <= SPACE) at = endOfSpace(bytes, at);
      const byte = bytes[at++];
      if (byte === CLOSE_BRACKET) {
        value = list ?? listOf(firstEnd!, length);
        return at;
      }
      if (byte !== COMMA) return FAILED;
      if (bytes[at]! <= SPACE) at = endOfSpace(bytes, at);
    }
  }

  function readValue(bytes: Uint8Array, at: number, depth: number): number {
    const byte = bytes[at];
    if (byte === OPEN_BRACE) return depth === 0 ? FAILED : readObject(bytes, at, depth - 1);
    if (byte === OPEN_BRACKET) return depth === 0 ? FAILED : readList(bytes, at, depth - 1);
    if (byte === NULL[0]) {
      value = null;
      return endOfWord(bytes, at, NULL);
    }
    value = true;
    if (byte === QUOTE) return endOfString(bytes, at);
    if (byte === TRUE[0]) return endOfWord(bytes, at, TRUE);
    if (byte === FALSE[0]) return endOfWord(bytes, at, FALSE);
    return endOfNumber(bytes, at);
  }

  return {
    read(bytes) {
      const start = endOfSpace(bytes, 0);
      if (bytes[start] !== OPEN_BRACE) return undefined;
      const end = readObject(bytes, start, MAX_DEPTH);
      const read = value as Record<string, unknown>;
      value = undefined;
      return end !== FAILED && endOfSpace(bytes, end) === bytes.length ? read : undefined;
    },
    knownBytes: () => knownBytes,
    forget() {
      root = createName('', NULL, undefined);
      exampleEnd = undefined;
      names = 0;
      lists = 0;
      knownBytes = 0;
    },
  };
}

const NO_ITEMS: readonly unknown[] = Object.freeze([]);

function createName(text: string, bytes: Uint8Array, before: Name | undefined): Name {
  const sibling = before?.next;
  const [interned = text] = Object.keys({ [text]: true });
  return {
    text: interned,
    bytes,
    before,
    example: undefined,
    lists: undefined,
    next: undefined,
    sibling,
  };
}

/** The names up to one, each of them `true`. */
function scalarsUpTo(last: Name): Record<string, unknown> {
  const scalars: Record<string, unknown> = {};
  for (let name = last; name.before !== undefined; name = name.before) scalars[name.text] = true;
  return scalars;
}

/** Of a string that stands at a place, whether it is this one; its quote was seen. */
function isAt(bytes: Uint8Array, at: number, text: Uint8Array): boolean {
  for (let i = 1; i < text.length; i++) if (bytes[at + i] !== text[i]) return false;
  return true;
}

/** Where what begins at a place ends, as for the others below. Most answers have no space: to look first spares a call. */
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
