import { createHash, randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Make, Sent } from './sent.js';

const json = (body: unknown): Sent => ({ body: JSON.stringify(body) });
const ofQuery =
  (make: (number: number) => string, more: Record<string, unknown> = {}): Make =>
  (number) =>
    json({ query: make(number), ...more });
const times = (count: number, make: (index: number) => string, between = ' ') =>
  Array.from({ length: count }, (_, index) => make(index)).join(between);

/** Documents on GitHub's schema that are valid, within all limits, and take as long as is known. */
export const EXPENSIVE: Readonly<Record<string, (number: number) => string>> = {
  'aliases with arguments and selections': (n) =>
    `{ ${times(125, (i) => `a${n}_${i}: repository(owner: "o", name: "n") { id name }`)} }`,
  'plain fields': (n) => `{ a${n}: viewer { ${times(240, (i) => `a${i}: login`)} ${times(560, () => 'name')} } }`,
  'inline fragments on an interface of hundreds of types': (n) =>
    `{ a${n}: node(id: "x") { ${times(190, (i) => `... on ${NODE_TYPES[i % NODE_TYPES.length]} { a${i}: id id }`)} } }`,
  'fields with selections that are compared with each other': (n) =>
    `{ a${n}: viewer { ${times(76, () => 'repositories(first: 9) { totalCount }')} } }`,
  'fragments that are spread twice at each of 13 levels': (n) =>
    `{ a${n}: viewer { ...F0 } } ${times(13, (i) => `fragment F${i} on User { a${n}: followers(first: 9) { nodes { ...F${i + 1} } } b: following(first: 9) { nodes { ...F${i + 1} } } }`)} fragment F13 on User { login }`,
  'fragments that are merged with others on every path': mergedOnEveryPath,
  'fragments under many conditions': (n) =>
    `query (${times(45, (i) => `$v${i}: Boolean = true`, ', ')}) { a${n}: viewer { ...F0 } } ${times(45, (i) => `fragment F${i} on User { f${i}: login @include(if: $v${i}) @skip(if: $v${(i + 1) % 45}) ...F${i + 1} @include(if: $v${i}) }`)} fragment F45 on User { id }`,
};

/** At every level each way leads to other fragments: what takes most steps to be priced. */
function mergedOnEveryPath(n: number): string {
  const levels = 8;
  const below = (alias: string, spreads: string) => `${alias}: followers(first: 9) { nodes { ${spreads} } }`;
  const chain = (name: string, i: number, more = '') =>
    `${below('a', `...${name}${i + 1}`)} ${below('b', `...${name}${i + 1} ${more}`)}`;
  const chains = times(levels, (i) =>
    times(levels - i - 1, (at) => {
      const j = i + 1 + at;
      return `fragment G${i}_${j} on User { ${j < levels - 1 ? chain(`G${i}_`, j) : `g${i}: id`} }`;
    }),
  );
  const spreads = times(
    levels,
    (i) => `fragment F${i} on User { ${i < levels - 1 ? chain('F', i, `...G${i}_${i + 1}`) : 'id'} }`,
  );
  return `{ a${n}: viewer { ...F0 } } ${spreads} ${chains}`;
}

const NODE_TYPES = [
  'User',
  'Organization',
  'Repository',
  'Issue',
  'PullRequest',
  'Commit',
  'Release',
  'Team',
  'Topic',
  'Tag',
];

/** Many limited fields, each in many places. */
export const LIMITED_FIELDS = [
  'login',
  'name',
  'bio',
  'company',
  'email',
  'location',
  'url',
  'createdAt',
  'updatedAt',
  'databaseId',
];
const MANY_FIELDS = (n: number) =>
  `{ ${times(90, (i) => `a${n}_${i}: user(login: "x") { ${LIMITED_FIELDS.join(' ')} }`)} }`;

const each = (make: (query: (number: number) => string) => Make): Readonly<Record<string, Make>> =>
  Object.fromEntries(Object.entries(EXPENSIVE).map(([name, query]) => [name, make(query)]));
const plain = each((query) => ofQuery(query));
const TOO_MANY_LETTERS = 'x'.repeat(60_000);

/** Every refusal of the way of a request, with the most expensive requests that are known to be refused so. */
export const REFUSALS = {
  'answered: one field': { one: ofQuery((n) => `{ a${n}: __typename }`) },
  'syntax error': {
    'at the end of 1,990 tokens': ofQuery((n) => `{ a${n}: viewer { ${'login '.repeat(1985)} `),
    'after a string of 60 kB': ofQuery((n) => `{ a${n}: user(login: "${TOO_MANY_LETTERS}") ]`),
  },
  'validation error': {
    'unknown fields': ofQuery((n) => `{ a${n}: viewer { ${times(900, (i) => `logon${i % 7}`)} } }`),
    'an unknown field beside many that are compared': ofQuery(
      (n) => `{ a${n}: viewer { ${times(560, () => 'login')} nope } }`,
    ),
    'fields that differ in their arguments': ofQuery(
      (n) => `{ a${n}: viewer { ${times(76, (i) => `repositories(first: ${i + 1}) { totalCount }`)} } }`,
    ),
    'unknown arguments': ofQuery((n) => `{ ${times(165, (i) => `a${n}_${i}: user(logon${i}: "x") { id }`)} }`),
    'an unknown field beside fragments that are merged on every path': ofQuery((n) =>
      mergedOnEveryPath(n).replace('viewer {', 'viewer { nope'),
    ),
    'a fragment that is never used': ofQuery(
      (n) => `{ a${n}: __typename } fragment F on User { ${'id '.repeat(560)} }`,
    ),
  },
  'document limits': {
    maxTokens: ofQuery((n) => `{ a${n}: viewer { ${'login '.repeat(8000)} } }`),
    maxBytes: ofQuery((n) => `{ a${n}: __typename } #${'x'.repeat(90_000)}`),
    maxDepth: ofQuery((n) => `{ a${n}: viewer { ${'{'.repeat(1900)}`),
    maxComparisons: ofQuery((n) => `{ a${n}: viewer { ${times(180, () => 'a: repositories(first: 9) { id }')} } }`),
  },
  'fragment cycle, names to guess': {
    cycle: ofQuery(
      (n) =>
        `{ a${n}: viewer { ...F0 } } ${times(60, (i) => `fragment F${i} on User { ...F${(i + 1) % 60} ...F${(i * 7 + 3) % 60} }`)}`,
    ),
    names: ofQuery((n) => `{ a${n}: __typename ${times(90, (i) => `... on ${'Usre'.repeat(20)}${i} { id }`)} }`),
  },
  'wrong operationName': each((query) => ofQuery(query, { operationName: 'Nope' })),
  'unknown persisted hash': {
    unknown: () =>
      json({ extensions: { persistedQuery: { version: 1, sha256Hash: randomBytes(32).toString('hex') } } }),
    'of another text': (n) => {
      const sha256Hash = createHash('sha256').update(String(n)).digest('hex');
      return json({
        query: `{ a${n}: __typename } #${TOO_MANY_LETTERS}`,
        extensions: { persistedQuery: { version: 1, sha256Hash } },
      });
    },
  },
  BAD_USER_INPUT: {
    ...each((query) => (n) => {
      const text = query(n);
      const wanted = text.startsWith('query (')
        ? text.replace('query (', 'query ($x: Int!, ')
        : `query ($x: Int!) ${text}`;
      return json({
        query: wanted.replace('{ ', '{ used: viewer { followers(first: $x) { totalCount } } '),
        variables: { x: 1.5 },
      });
    }),
    'a list of 40,000 wrong values': (n) =>
      json({
        query: `query ($x: [ID!]!) { a${n}: nodes(ids: $x) { id } }`,
        variables: { x: Array.from({ length: 30_000 }, () => []) },
      }),
    'a list whose last value is wrong': (n) =>
      json({
        query: `query ($x: [ID!]!) { a${n}: nodes(ids: $x) { id } }`,
        variables: { x: [...Array(24_000).fill('a'), []] },
      }),
  },
  COST_SLICING_ARGUMENT: each(
    (query) => (n) =>
      json({
        query: query(n).replace(/^(query \([^)]*\) )?\{/, '$1{ wrong: securityAdvisories { totalCount }'),
      }),
  ),
  OPERATION_TOO_COMPLEX: plain,
  'MAX_COST_EXCEEDED, above the ceiling': plain,
  'MAX_COST_EXCEEDED, above the bucket': plain,
  TOO_MANY_LIMITS: { 'many limited fields': ofQuery(MANY_FIELDS) },
  'THROTTLED, an operation': plain,
  'THROTTLED, the fee': {
    'unknown fields': ofQuery((n) => `{ a${n}: viewer { ${times(560, () => 'login')} nope } }`),
  },
  UNAUTHENTICATED: plain,
  'no JSON': { '90 kB': (n) => ({ body: `{"query":"{ a${n} }","x":[${'[1],'.repeat(20_000)}` }) },
  'PUT, 405': { put: (n) => ({ method: 'PUT', ...json({ query: `{ a${n} }` }) }) },
  'a form, 415': { form: (n) => ({ headers: { 'content-type': 'text/plain' }, body: `${n}${'x'.repeat(90_000)}` }) },
  'body too large, 413': {
    '1 MB': (n) => ({ body: `${n}${'x'.repeat(1_000_000)}` }),
    'a gzip bomb': (n) => ({ body: gzipSync(`${n}${'x'.repeat(3_000_000)}`), headers: { 'content-encoding': 'gzip' } }),
  },
  'a batch where they are off': { '90 kB': () => json(Array.from({ length: 40_000 }, () => 1)) },
  'a batch of too many': { '90 kB': () => json(Array.from({ length: 40_000 }, () => 1)) },
  'GET that is no query': {
    mutation: (n) => ({
      method: 'GET',
      search: `?query=${encodeURIComponent(`mutation { a${n}: __typename }`)}`,
      headers: { 'apollo-require-preflight': 'x' },
    }),
    'variables that are no JSON': (n) => ({
      method: 'GET',
      search: `?query={a${n}:__typename}&variables=${'['.repeat(15_000)}`,
      headers: { 'apollo-require-preflight': 'x' },
    }),
  },
  'a subscription where there are none': {
    one: ofQuery((n) => `subscription { a${n}: nothing ${times(560, () => 'nothing')} }`),
  },
} as const satisfies Record<string, Readonly<Record<string, Make>>>;

export type RefusalName = keyof typeof REFUSALS;
