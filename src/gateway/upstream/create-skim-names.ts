/** A name after others: all of them, in one order, are what the objects of one selection have. */
export interface Name {
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

/** The names in answers to one document, and what is made of them. */
export interface SkimNames {
  /** What stands before all names. */
  root(): Name;
  /** @returns undefined for what is no name, and where there are too many */
  learn(quoted: Uint8Array, before: Name): Name | undefined;
  exampleOf(last: Name): Readonly<Record<string, unknown>>;
  /** A list of so many examples. */
  listOf(last: Name, length: number): readonly unknown[];
  /** Of the heap, estimated. */
  knownBytes(): number;
  forget(): void;
}

/** Beyond so many, names are data: a map as a scalar, say. */
const MAX_NAMES = 500;
/** What a name takes with all that belongs to it, and what it takes in an example. */
const NAME_BYTES = 500;
const EXAMPLE_BYTES = 50;
/** So many lists are kept, each of which takes about so much. */
const MAX_LISTS = 200;
const LIST_BYTES = 500;

/** A name as GraphQL has them: nothing in it is escaped. `__proto__` would be none of an object that is made here. */
const PLAIN_NAME = /^(?!__proto__$)[A-Za-z_]\w*$/;

export function createSkimNames(): SkimNames {
  let root = createRoot();
  let names = 0;
  let lists = 0;
  let knownBytes = 0;

  function exampleOf(last: Name): Readonly<Record<string, unknown>> {
    if (last.example === undefined) {
      last.example = Object.freeze(scalarsUpTo(last));
      knownBytes += EXAMPLE_BYTES * Object.keys(last.example).length;
    }
    return last.example;
  }

  return {
    root: () => root,
    learn(quoted, before) {
      if (names >= MAX_NAMES) return undefined;
      const own = Uint8Array.from(quoted);
      const name = Buffer.from(own.subarray(1, -1)).toString('latin1');
      if (!PLAIN_NAME.test(name)) return undefined;
      names++;
      knownBytes += NAME_BYTES + 2 * own.length;
      before.next = createName(name, own, before);
      return before.next;
    },
    exampleOf,
    listOf(last, length) {
      const known = last.lists?.[length];
      if (known !== undefined) return known;
      const list = Object.freeze(new Array(length).fill(exampleOf(last)));
      if (lists >= MAX_LISTS) return list;
      last.lists ??= [];
      last.lists[length] = list;
      lists++;
      knownBytes += LIST_BYTES;
      return list;
    },
    knownBytes: () => knownBytes,
    forget() {
      root = createRoot();
      names = 0;
      lists = 0;
      knownBytes = 0;
    },
  };
}

function createRoot(): Name {
  return createName('', new Uint8Array(0), undefined);
}

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
export function scalarsUpTo(last: Name): Record<string, unknown> {
  const scalars: Record<string, unknown> = {};
  for (let name = last; name.before !== undefined; name = name.before) scalars[name.text] = true;
  return scalars;
}
