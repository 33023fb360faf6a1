import {
  buildSchema,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  isListType,
  isNonNullType,
} from 'graphql';
import type { Random } from './random.js';

/** A typical API with pages and bulk inputs, and one operation on it. */
export interface PageApi {
  readonly sdl: string;
  readonly schema: GraphQLSchema;
  readonly query: string;
  readonly variables: Record<string, unknown>;
  /** Number of items that the operation requests, or undefined if the server decides. */
  readonly asked: number | undefined;
  readonly isMutation: boolean;
  /**
   * Executes a field as a server does. A page has at most as many items as requested; no other
   * list is longer than the default.
   */
  resolve(source: unknown, args: unknown, context: unknown, info: GraphQLResolveInfo): unknown;
}

export interface PageApiOptions {
  readonly random: Random;
  readonly defaultListSize: number;
  /** If true, every list has its maximum length. */
  readonly isGenerous: boolean;
}

const NUMBERS = [
  'first',
  'limit',
  'take',
  'perPage',
  'per_page',
  'pageSize',
  'page_size',
  'size',
  '_size',
  'top',
  'max',
];
const MORE_NUMBERS = ['maxResults', 'maxItems', 'batch_size', 'hitsPerPage', 'rows', 'count', 'n', 'last'];
const LISTS = ['items', 'data', 'docs', 'results', 'records', 'nodes', 'edges', 'content', 'products', 'returning'];
const SCALARS = ['Int', 'Int', 'Int', 'Long', 'BigInt', 'PositiveInt', 'PaginationAmount', 'UnsignedNumber'];
const INPUTS = ['objects', 'inputs', 'data', 'variants', 'orders', 'records'];
const IDS = ['ids', 'productIds', 'user_ids'];

interface Argument {
  readonly types: string;
  readonly definition: string;
  write(value: string): string;
}

/** Returns an argument with a number of items: directly, in an input object, or in a nested one. */
function numberArgument(random: Random, scalar: string, defaultValue: string): Argument {
  const name = random.pick([...NUMBERS, ...MORE_NUMBERS]);
  const member = `${name}: ${scalar}${defaultValue}`;
  const place = random.below(4);
  if (place < 2) return { types: '', definition: member, write: (value) => `${name}: ${value}` };
  const outer = random.pick(['options', 'query', 'pagination', 'page', 'input']);
  if (place === 2) {
    const types = `input Options { ${member} offset: Int }`;
    return { types, definition: `${outer}: Options`, write: (value) => `${outer}: { ${name}: ${value} }` };
  }
  const inner = random.pick(['page', 'paging', 'pagination', 'options']);
  const types = `input Options { ${inner}: Inner sort: String } input Inner { ${member} skip: Int }`;
  return { types, definition: `${outer}: Options`, write: (value) => `${outer}: { ${inner}: { ${name}: ${value} } }` };
}

function bulkArgument(random: Random): Argument & { readonly isIds: boolean } {
  const isIds = random.chance(0.3);
  const name = random.pick(isIds ? IDS : INPUTS);
  const member = `${name}: [${isIds ? 'ID' : 'In'}!]`;
  if (random.chance(0.6)) return { types: '', isIds, definition: member, write: (value) => `${name}: ${value}` };
  const types = `input Input { ${member} note: String }`;
  return { types, isIds, definition: 'input: Input', write: (value) => `input: { ${name}: ${value} }` };
}

export function randomPageApi({ random, defaultListSize, isGenerous }: PageApiOptions): PageApi {
  const isMutation = random.chance(0.35);
  const scalar = random.pick(SCALARS);
  const schemaDefault = random.chance(0.25) ? random.below(20) : undefined;
  const bulk = isMutation ? bulkArgument(random) : undefined;
  const argument = bulk ?? numberArgument(random, scalar, schemaDefault === undefined ? '' : ` = ${schemaDefault}`);
  const list = random.pick(LISTS);
  const wrappers = random.below(3);
  const returned = random.pick(['Page', 'Page', 'Page!', 'Found', 'Paged']);
  const isPlainList = random.chance(0.15);
  const below = isPlainList ? '[P!]' : wrappers === 0 ? returned : `Wrap${wrappers}`;
  const sdl = `
    scalar Long scalar BigInt scalar PositiveInt scalar PaginationAmount scalar UnsignedNumber
    input In { n: String }
    ${argument.types}
    type P { n: String kids: [P] one: P }
    interface Paged { total: Int }
    type Page implements Paged { total: Int ${list}: [P!]${random.pick(['', '!'])} errors: [Problem] }
    type Problem { text: String }
    union Found = Page | Problem
    type Wrap1 { payload: ${returned} userErrors: [Problem!] }
    type Wrap2 { wrap: Wrap1 }
    type Query { asked(${bulk ? 'n: String' : argument.definition}): ${bulk ? 'P' : below} }
    type Mutation { asked(${bulk ? argument.definition : 'n: String'}): ${bulk ? below : 'P'} }`;

  const item = random.pick(['n', 'n one { n }', 'n kids { n }', 'one { kids { n } }']);
  const pageSelection = `total ${list} { ${item} } ${random.chance(0.3) ? 'errors { text }' : ''}`;
  const onPage =
    returned.startsWith('Page') && returned !== 'Paged' ? pageSelection : `... on Page { ${pageSelection} }`;
  const found = returned === 'Found' && random.chance(0.5) ? `${onPage} ... on Problem { text }` : onPage;
  const inWrap1 = `payload { ${found} } ${random.chance(0.3) ? 'userErrors { text }' : ''}`;
  const body = isPlainList ? item : [found, inWrap1, `wrap { ${inWrap1} }`][wrappers]!;

  const count = random.pick(['absent', null, -1, 0, 1, 2, 5, 9, 12, 30] as const);
  let value: unknown = count === 'absent' ? undefined : count;
  if (bulk) {
    const length = random.pick(['absent', 0, 1, 3, 12, 30] as const);
    value =
      length === 'absent' ? undefined : Array.from({ length }, (_, at) => (bulk.isIds ? `${at}` : { n: `${at}` }));
  }
  const isVariable = random.chance(0.6);
  const given = isVariable ? '$v' : toLiteral(value);
  const written = given === undefined ? '' : `(${argument.write(given)})`;
  const type = bulk ? `[${bulk.isIds ? 'ID' : 'In'}!]` : scalar;
  const head = `${isMutation ? 'mutation' : 'query'} Q${isVariable ? `($v: ${type})` : ''}`;
  const query = `${head} { asked${written} { ${body} } }`;
  const variables = isVariable && value !== undefined ? { v: value } : {};

  const fallback = (): number | undefined => {
    // Null disables the default; members of an absent input object have no default.
    if (bulk || value === null) return undefined;
    const isArgument = argument.types === '';
    return isArgument || written !== '' ? schemaDefault : undefined;
  };
  const ownCount = Array.isArray(value)
    ? value.length
    : typeof count === 'number' && !bulk && count >= 0
      ? count
      : undefined;
  const asked = ownCount ?? fallback();
  const schema = buildSchema(sdl);

  function resolve(_source: unknown, _args: unknown, _context: unknown, info: GraphQLResolveInfo): unknown {
    const { fieldName, returnType } = info;
    const nullable = isNonNullType(returnType) ? returnType.ofType : returnType;
    if (isListType(nullable)) {
      const isPage = fieldName === list || fieldName === 'asked';
      const most = isPage ? (asked ?? defaultListSize) : defaultListSize;
      const length = isGenerous || (isPage && random.chance(0.5)) ? most : random.below(most + 1);
      return Array.from({ length }, () => ({}));
    }
    const named = getNamedType(nullable);
    if (named.name === 'String') return 'text';
    if (named.name === 'Int') return 1;
    if (!isGenerous && !isNonNullType(returnType) && random.chance(0.1)) return null;
    if (named.name === 'Found' || named.name === 'Paged') {
      return { __typename: isGenerous || named.name === 'Paged' || random.chance(0.7) ? 'Page' : 'Problem' };
    }
    return {};
  }

  return { sdl, schema, query, variables, asked, isMutation, resolve };
}

function toLiteral(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  return JSON.stringify(value).replace(/"n":/g, 'n: ');
}
