import { GraphQLError } from 'graphql';
import type { ErrorCode } from 'tollgate';
import type { CountryRecord } from './world.js';

/** A Relay connection: one page of countries and its position in the list. */
interface CountryPage {
  edges: { cursor: string; node: CountryRecord }[];
  nodes: CountryRecord[];
  totalCount: number;
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null };
}

/**
 * Returns the page of `countries` (by name) that follows the cursor `after`. The cursor identifies
 * a country instead of an offset. So the next page starts at the right country even if the filter
 * has changed between two requests.
 */
export function countryPage(
  countries: readonly CountryRecord[],
  { size, after }: { size: number; after?: CountryRecord | undefined },
): CountryPage {
  const start = after ? countries.filter((country) => !comesAfter(country, after)).length : 0;
  const nodes = countries.slice(start, start + size);
  const edges = nodes.map((node) => ({ cursor: cursorOf(node), node }));
  return {
    edges,
    nodes,
    totalCount: countries.length,
    pageInfo: {
      hasNextPage: start + size < countries.length,
      hasPreviousPage: start > 0,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}

function comesAfter(a: CountryRecord, b: CountryRecord): boolean {
  return a.name.localeCompare(b.name, 'en') > 0;
}

const PREFIX = 'country:';

function cursorOf(country: CountryRecord): string {
  return Buffer.from(PREFIX + country.id).toString('base64url');
}

/** Returns the code of the country that a cursor identifies. */
export function codeOfCursor(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString();
  if (!text.startsWith(PREFIX))
    throw badInput(`after: expected a cursor of this connection, got ${JSON.stringify(cursor)}`);
  return text.slice(PREFIX.length);
}

/** Maximum page size. No list is longer: there are 250 countries. */
export const MAX_PAGE_SIZE = 250;

/**
 * Returns the page size for `first`. An explicit null means the default, as the `assumedSize` in
 * the schema declares.
 */
export function pageSize(first: number | null | undefined, otherwise: number): number {
  const size = first ?? otherwise;
  if (size < 0 || size > MAX_PAGE_SIZE) throw badInput(`first: expected 0 to ${MAX_PAGE_SIZE}, got ${size}`);
  return size;
}

/**
 * Returns the error for an invalid argument. The message contains the argument, the expected value
 * and the actual one.
 */
export function badInput(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT' satisfies ErrorCode } });
}
