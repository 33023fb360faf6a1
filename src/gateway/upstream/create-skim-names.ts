/** A name in a chain. A chain lists the field names of an object in their order in the JSON. */
export interface Name {
  /** Text of the name, interned by V8 like all property names. */
  readonly text: string;
  readonly bytes: Uint8Array;
  /** Previous name; undefined for the root, which precedes all names. */
  readonly before: Name | undefined;
  /**
   * An object with the names of this chain, whose values are all scalars; created for the first
   * object whose last name is this one.
   */
  example: Readonly<Record<string, unknown>> | undefined;
  /** Lists that contain only the example, by their length. */
  lists: (readonly unknown[] | undefined)[] | undefined;
  /** First candidate for the next name. Its `sibling` is the next candidate. */
  next: Name | undefined;
  readonly sibling: Name | undefined;
}

/** The names in responses to one document, and the objects that are built from them. */
export interface SkimNames {
  /** Returns the root, which precedes all names. */
  root(): Name;
  /**
   * Adds a name to a chain.
   * @returns the name; undefined if the text is not a name, or if there are too many names
   */
  learn(quoted: Uint8Array, before: Name): Name | undefined;
  exampleOf(last: Name): Readonly<Record<string, unknown>>;
  /** Returns a list that contains the example `length` times. */
  listOf(last: Name, length: number): readonly unknown[];
  /** Returns the estimated heap size in bytes. */
  knownBytes(): number;
  forget(): void;
}

/**
 * Maximum number of names. With more names, the names are probably data, such as the keys of a map
 * in a custom scalar.
 */
const MAX_NAMES = 500;
/** Estimated bytes of a name with all its data, and of a name in an example. */
const NAME_BYTES = 500;
const EXAMPLE_BYTES = 50;
/** Maximum number of kept lists, and the estimated bytes of each. */
const MAX_LISTS = 200;
const LIST_BYTES = 500;

/**
 * Matches a GraphQL name, which contains no escapes. `__proto__` is excluded, because assigning it
 * would not create a property.
 */
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

/** Returns an object with all names of a chain up to `last`, each of them `true`. */
export function scalarsUpTo(last: Name): Record<string, unknown> {
  const scalars: Record<string, unknown> = {};
  for (let name = last; name.before !== undefined; name = name.before) scalars[name.text] = true;
  return scalars;
}
