/**
 * Reads a JSON object as `JSON.parse` does, but for its scalars: each is `true`. Objects that hold scalars alone, and have the same
 * names, are one frozen object.
 */
export interface Skim {
  /** Undefined for all that is not plainly of the form that came before: ask `JSON.parse` then. */
  read(bytes: Uint8Array): Record<string, unknown> | undefined;
  /** Of the heap, estimated: what it remembers of names. */
  readonly knownBytes: number;
  /** Forgets all names, and learns anew. */
  forget(): void;
}

/** A name after others: all of them, in one order, are what the objects of one selection have. */
interface Name {
  readonly text: string;
  readonly bytes: Uint8Array;
  /** Undefined of the root, which stands before all names. */
  readonly before: Name | undefined;
  /** An object with these names, all of them scalars; made for the first one that ends here. */
  example: Readonly<Record<string, unknown>> | undefined;
  /** What may come next, one of which names the others. */
  next: Name | undefined;
  readonly sibling: Name | undefined;
}

/** Beyond so many, names are data: a map as a scalar, say. */
const MAX_NAMES = 500;
/** What a name takes with all that belongs to it, and what it takes in an example. */
const NAME_BYTES = 500;
const EXAMPLE_BYTES = 50;
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
  let root = createName('', NULL, undefined);
  let names = 0;
  let knownBytes = 0;
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

  function nameAfter(before: Name): Name | undefined {
    if (text[at] !== QUOTE) return undefined;
    for (let name = before.next; name !== undefined; name = name.sibling) {
      if (!isNext(name.bytes)) continue;
      at += name.bytes.length;
      return name;
    }
    return learnName(before);
  }

  function isNext(name: Uint8Array): boolean {
    const bytes = text;
    const start = at;
    for (let i = 1; i < name.length; i++) if (bytes[start + i] !== name[i]) return false;
    return true;
  }

  function learnName(before: Name): Name | undefined {
    const start = at;
    if (names >= MAX_NAMES || !skipString()) return undefined;
    const bytes = Uint8Array.from(text.subarray(start, at));
    const name = Buffer.from(bytes.subarray(1, -1)).toString('latin1');
    if (!PLAIN_NAME.test(name)) return undefined;
    names++;
    knownBytes += NAME_BYTES + 2 * bytes.length;
    before.next = createName(name, bytes, before);
    return before.next;
  }

  function exampleOf(last: Name): Readonly<Record<string, unknown>> {
    if (last.example === undefined) {
      last.example = Object.freeze(scalarsUpTo(last));
      knownBytes += EXAMPLE_BYTES * Object.keys(last.example).length;
    }
    return last.example;
  }

  function readObject(depth: number): Record<string, unknown> | typeof FAILED {
    let last = root;
    // Made where it has something that no other has.
    let own: Record<string, unknown> | undefined;
    at++;
    skipSpace();
    if (text[at] === CLOSE_BRACE) {
      at++;
      return exampleOf(root);
    }
    for (;;) {
      const name = nameAfter(last);
      if (name === undefined) return FAILED;
      skipSpace();
      if (text[at++] !== COLON) return FAILED;
      skipSpace();
      const value = readValue(depth);
      if (value === FAILED) return FAILED;
      if (value !== true) own ??= scalarsUpTo(last);
      if (own !== undefined) own[name.text] = value;
      last = name;
      skipSpace();
      const byte = text[at++];
      if (byte === CLOSE_BRACE) return own ?? exampleOf(last);
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

  return {
    read(bytes) {
      text = bytes;
      at = 0;
      skipSpace();
      if (text[at] !== OPEN_BRACE) return undefined;
      const read = readObject(MAX_DEPTH);
      skipSpace();
      const isWhole = at === text.length;
      text = NULL;
      return read === FAILED || !isWhole ? undefined : read;
    },
    get knownBytes() {
      return knownBytes;
    },
    forget() {
      root = createName('', NULL, undefined);
      names = 0;
      knownBytes = 0;
    },
  };
}

function createName(text: string, bytes: Uint8Array, before: Name | undefined): Name {
  return { text, bytes, before, example: undefined, next: undefined, sibling: before?.next };
}

/** The names up to one, each of them `true`. */
function scalarsUpTo(last: Name): Record<string, unknown> {
  const scalars: Record<string, unknown> = {};
  for (let name = last; name.before !== undefined; name = name.before) scalars[name.text] = true;
  return scalars;
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
