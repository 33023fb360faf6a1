/**
 * Reads a JSON object as `JSON.parse` does, but for its scalars: each is `true`. Objects that hold scalars alone, and have the same
 * names, are one frozen object. Undefined for all that is not plainly of the form that came before: ask `JSON.parse` then.
 */
export type Skim = (bytes: Uint8Array) => Record<string, unknown> | undefined;

/** Names in one order, as the objects of one selection have them. */
interface Shape {
  /** An object with them, all of them scalars. */
  readonly example: Readonly<Record<string, unknown>>;
  /** What may come next. */
  first: Name | undefined;
}

interface Name {
  readonly text: string;
  readonly bytes: Uint8Array;
  readonly then: Shape;
  readonly sibling: Name | undefined;
}

/** Beyond so many, names are data: a map as a scalar, say. */
const MAX_NAMES = 500;
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
const FAILED = Symbol('failed');

/**
 * For the answers to one document, which have the same names in the same order: with what came before known, a name is compared and not
 * read, and most objects need not be made. To count an answer no scalar has to be known, unless it tells a type.
 */
export function createSkim(): Skim {
  const root: Shape = { example: Object.freeze({}), first: undefined };
  let names = 0;
  let text: Uint8Array = NULL;
  let at = 0;

  function skipSpace(): void {
    if (text[at]! > SPACE) return;
    while (isSpace(text[at])) at++;
  }

  /** False: it is none. */
  function skipString(): boolean {
    const bytes = text;
    const { length } = bytes;
    let next = at + 1;
    while (next < length) {
      const byte = bytes[next++]!;
      if (byte === QUOTE) {
        at = next;
        return true;
      }
      if (byte < SPACE) return false;
      if (byte === BACKSLASH) {
        at = next;
        if (!skipEscape()) return false;
        next = at;
      }
    }
    return false;
  }

  function skipEscape(): boolean {
    const byte = text[at++];
    if (byte !== 0x75) return byte !== undefined && ESCAPED.has(byte);
    for (const end = at + 4; at < end; at++) if (!isHexDigit(text[at])) return false;
    return true;
  }

  function skipDigits(): boolean {
    const start = at;
    while (isDigit(text[at])) at++;
    return at > start;
  }

  function skipNumber(): boolean {
    if (text[at] === 0x2d) at++;
    if (text[at] === 0x30) at++;
    else if (!skipDigits()) return false;
    if (text[at] === 0x2e) {
      at++;
      if (!skipDigits()) return false;
    }
    if (text[at] === 0x65 || text[at] === 0x45) {
      at++;
      if (text[at] === 0x2b || text[at] === 0x2d) at++;
      if (!skipDigits()) return false;
    }
    return true;
  }

  function skipWord(word: Uint8Array): boolean {
    for (let i = 0; i < word.length; i++) if (text[at + i] !== word[i]) return false;
    at += word.length;
    return true;
  }

  function nameAfter(shape: Shape): Name | undefined {
    if (text[at] !== QUOTE) return undefined;
    for (let name = shape.first; name !== undefined; name = name.sibling) {
      if (!isNext(name.bytes)) continue;
      at += name.bytes.length;
      return name;
    }
    return learnName(shape);
  }

  function isNext(name: Uint8Array): boolean {
    const bytes = text;
    const start = at;
    for (let i = 1; i < name.length; i++) if (bytes[start + i] !== name[i]) return false;
    return true;
  }

  function learnName(shape: Shape): Name | undefined {
    const start = at;
    if (names >= MAX_NAMES || !skipString()) return undefined;
    const bytes = Uint8Array.from(text.subarray(start, at));
    const name = Buffer.from(bytes.subarray(1, -1)).toString('latin1');
    if (!PLAIN_NAME.test(name)) return undefined;
    names++;
    const then: Shape = { example: Object.freeze({ ...shape.example, [name]: true }), first: undefined };
    shape.first = { text: name, bytes, then, sibling: shape.first };
    return shape.first;
  }

  function readObject(depth: number): Record<string, unknown> | typeof FAILED {
    let shape = root;
    // Made where it has something that no other has.
    let own: Record<string, unknown> | undefined;
    at++;
    skipSpace();
    if (text[at] === CLOSE_BRACE) {
      at++;
      return root.example;
    }
    for (;;) {
      const name = nameAfter(shape);
      if (name === undefined) return FAILED;
      skipSpace();
      if (text[at++] !== COLON) return FAILED;
      skipSpace();
      const value = readValue(depth);
      if (value === FAILED) return FAILED;
      if (value !== true) own ??= { ...shape.example };
      if (own !== undefined) own[name.text] = value;
      shape = name.then;
      skipSpace();
      const byte = text[at++];
      if (byte === CLOSE_BRACE) return own ?? shape.example;
      if (byte !== COMMA) return FAILED;
      skipSpace();
    }
  }

  function readList(depth: number): unknown[] | typeof FAILED {
    const list: unknown[] = [];
    at++;
    skipSpace();
    if (text[at] === CLOSE_BRACKET) {
      at++;
      return list;
    }
    for (;;) {
      const value = readValue(depth);
      if (value === FAILED) return FAILED;
      list.push(value);
      skipSpace();
      const byte = text[at++];
      if (byte === CLOSE_BRACKET) return list;
      if (byte !== COMMA) return FAILED;
      skipSpace();
    }
  }

  function readValue(depth: number): unknown {
    switch (text[at]) {
      case QUOTE:
        return skipString() || FAILED;
      case OPEN_BRACE:
        return depth === 0 ? FAILED : readObject(depth - 1);
      case OPEN_BRACKET:
        return depth === 0 ? FAILED : readList(depth - 1);
      case TRUE[0]:
        return skipWord(TRUE) || FAILED;
      case FALSE[0]:
        return skipWord(FALSE) || FAILED;
      case NULL[0]:
        return skipWord(NULL) ? null : FAILED;
      default:
        return skipNumber() || FAILED;
    }
  }

  return (bytes) => {
    text = bytes;
    at = 0;
    skipSpace();
    if (text[at] !== OPEN_BRACE) return undefined;
    const read = readObject(MAX_DEPTH);
    skipSpace();
    const isWhole = at === text.length;
    text = NULL;
    return read === FAILED || !isWhole ? undefined : read;
  };
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
