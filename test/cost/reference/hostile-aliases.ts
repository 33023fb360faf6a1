/** Default maximum number of aliases in a document. */
const MOST_ALIASES = 250;
const FIELDS = 8;

const times = (count: number, make: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => make(at)).join(' ');

/** Returns a schema with interfaces whose fields have a different price on each type, as SDL. */
export function schemaOfManyPrices(types: number): string {
  const fields = (weight: (at: number) => string): string =>
    times(
      FIELDS,
      (at) =>
        `f${at}(first: Int): [I] ${weight(at)} @listSize(slicingArguments: ["first"], assumedSize: 1, requireOneSlicingArgument: false)`,
    );
  return `
    type Query { i: I o: O }
    type O { i(n: Int): I o: O }
    interface I { x: Int ${times(FIELDS, (at) => `f${at}(first: Int): [I]`)} }
    interface G { x: Int ${times(FIELDS, (at) => `f${at}(first: Int): [I]`)} }
    ${times(types, (type) => `type T${type} implements I${type % 2 ? ' & G' : ''} { x: Int @cost(weight: "${type}") ${fields((at) => `@cost(weight: "${3 * type + at}")`)} }`)}`;
}

type LimitCheck = (text: string) => boolean;

function largestWithin(isWithinLimits: LimitCheck, make: (count: number) => string): string {
  let least = 1;
  let most = MOST_ALIASES;
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (isWithinLimits(make(middle))) least = middle;
    else most = middle - 1;
  }
  return make(least);
}

/**
 * Returns the largest operation of each kind that `isWithinLimits` accepts. These attacks use
 * fragments, some of which are merged with different fragments on every path.
 */
export function hostileFragments(isWithinLimits: LimitCheck): Record<string, string> {
  const kinds: Record<string, (count: number) => string> = {
    'fragments that are merged with others on every path': (count) => {
      const levels = Math.max(2, Math.floor(Math.sqrt(count)));
      const chain = (i: number): string =>
        i < levels - 1
          ? `fragment F${i} on I { f0 { ...F${i + 1} } f1 { ...F${i + 1} ...G${i + 1}_${i + 1} } }`
          : `fragment F${i} on I { x }`;
      const other = (i: number, j: number): string =>
        j < levels - 1
          ? `fragment G${i}_${j} on I { f0 { ...G${i}_${j + 1} } f1 { ...G${i}_${j + 1} } }`
          : `fragment G${i}_${j} on I { g${i}: x }`;
      const others = times(levels, (i) => times(levels - i, (j) => (i === 0 ? '' : other(i, i + j))));
      return `{ i { ...F0 } } ${times(levels, chain)} ${others}`;
    },
    'chains of fragments below each of many types': (count) =>
      `{ i { ${times(count, (at) => `... on T${((2 * at) % 30) + 1} { ...F${at % 40} }`)} } } ${times(40, (i) => `fragment F${i} on ${i % 2 ? 'I' : 'G'} { ${i < 39 ? `...F${i + 1}` : ''} a${i}: f${i % FIELDS} { x } }`)}`,
    'chains of fragments in many positions': (count) =>
      `{ i { ${times(count, (at) => `a${at}: f0 { b${at}: x ...F0 }`)} } } ${times(60, (i) => `fragment F${i} on I { ${i < 59 ? `...F${i + 1}` : ''} x c${i}: f${i % FIELDS} { x } }`)}`,
  };
  return Object.fromEntries(Object.entries(kinds).map(([kind, make]) => [kind, largestWithin(isWithinLimits, make)]));
}

/**
 * Returns the largest operation of each kind that `isWithinLimits` accepts. The kinds use aliases.
 */
export function hostileAliases(isWithinLimits: LimitCheck): Record<string, string> {
  const largest = (make: (count: number) => string): string => largestWithin(isWithinLimits, make);
  const nested = (depth: number, field: (level: number) => string): string =>
    depth === 0 ? 'x' : `${field(depth)} { ${nested(depth - 1, field)} }`;
  const kinds: Record<string, (at: number) => string> = {
    'that are alike': (at) => `a${at}: f0 { x }`,
    'that are alike, two levels deep': (at) => `a${at}: f0 { f1 { x } }`,
    'of a scalar': (at) => `a${at}: x`,
    'with another argument each': (at) => `a${at}: f0(first: ${at}) { x }`,
    'with something else selected below each': (at) => `a${at}: f0 { b${at}: f1 { x } }`,
    'with another argument below each': (at) => `a${at}: f0 { f1(first: ${at}) { x } }`,
    'in a fragment each': (at) => `... { a${at}: f0 { f1 { x } } }`,
    'on overlapping types': (at) => `... on ${at % 2 ? 'G' : 'I'} { a${at}: f0(first: ${at}) { x } }`,
    'on one type each': (at) => `... on T${at % 30} { f${at % FIELDS} { f${(at * 3) % FIELDS} { x } } }`,
    'of many fields, with more below': (at) =>
      `a${at}: f${at % FIELDS} { ${times(4, (below) => `f${(at + below) % FIELDS}(first: ${at}) { x }`)} }`,
    'of which each is 20 levels deep': (at) =>
      nested(20, (level) => (level === 20 ? `a${at}: f0` : `f${(level * at) % FIELDS}`)),
    'that are selected twice, and merged': (at) => `a${at}: f0 { x } ... { a${at}: f0 { f1 { x } } }`,
  };
  const documents = Object.entries(kinds).map(([kind, make]) => [
    kind,
    largest((count) => `{ i { ${times(count, make)} } }`),
  ]);
  const onObjects = largest((count) => `{ o { ${times(count, (at) => `a${at}: i(n: ${at}) { f0 { f1 { x } } }`)} } }`);
  return Object.fromEntries([...documents, ['of objects above', onObjects]]);
}
