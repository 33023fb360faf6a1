import { GraphQLError } from 'graphql';
import type { ErrorCode } from 'tollgate';
import type { CountryRecord } from './world.js';

/** A Relay connection: one page of countries and where it stands. */
interface CountryPage {
  edges: { cursor: string; node: CountryRecord }[];
  nodes: CountryRecord[];
  totalCount: number;
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null };
}

/**
 * The page of `countries` (by name) that follows the cursor `after`. The cursor names a country, not a number, so that
 * a page goes on at the right place whatever was filtered out between two requests.
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

/** The code of the country that a cursor names. */
export function codeOfCursor(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString();
  if (!text.startsWith(PREFIX))
    throw badInput(`after: expected a cursor of this connection, got ${JSON.stringify(cursor)}`);
  return text.slice(PREFIX.length);
}

/** No list is longer: there are 250 countries. */
export const MAX_PAGE_SIZE = 250;

/** What `first` asks for; an explicit null means the default, as the `assumedSize` in the schema says. */
export function pageSize(first: number | null | undefined, otherwise: number): number {
  const size = first ?? otherwise;
  if (size < 0 || size > MAX_PAGE_SIZE) throw badInput(`first: expected 0 to ${MAX_PAGE_SIZE}, got ${size}`);
  return size;
}

/** An argument that no resolver can work with: names the argument, what was expected, and what came. */
export function badInput(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT' satisfies ErrorCode } });
}
