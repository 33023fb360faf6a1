import { ArgsType, type ClassType, Field, ID, Int, InterfaceType, ObjectType } from 'type-graphql';
import { badQuery } from './to-client-error.js';

@InterfaceType('Node', {
  description:
    'An object with an id. `node(id: ...)` returns it, unless it is an admin token or a session of the console.',
  resolveType: (value: { __typename: string }) => value.__typename,
})
export abstract class NodeType {
  @Field(() => ID, { description: 'Opaque id, unique across all types.' })
  id!: string;
}

@ObjectType('PageInfo', { description: 'Position of a page in its list.' })
class PageInfoType {
  @Field(() => Boolean, { description: 'Whether another page follows. Request it with `after: endCursor`.' })
  hasNextPage!: boolean;

  @Field(() => Boolean, {
    description: 'Whether this page was requested with `after`, so that another page precedes it.',
  })
  hasPreviousPage!: boolean;

  @Field(() => String, { nullable: true, description: 'Cursor of the first element of this page.' })
  startCursor!: string | null;

  @Field(() => String, { nullable: true, description: 'Cursor of the last element of this page.' })
  endCursor!: string | null;
}

const MAX_FIRST = 100;

@ArgsType()
export class PageArgs {
  @Field(() => Int, { defaultValue: 20, description: 'Maximum number of elements: 1 to 100.' })
  first!: number;

  @Field(() => String, { nullable: true, description: '`pageInfo.endCursor` of the previous page.' })
  after?: string | null;
}

interface Edge<Node> {
  cursor: string;
  node: Node;
}

/**
 * A page of a list in the form of the Relay specification. `nodes` is for clients that need no
 * cursors.
 */
export interface Connection<Node> {
  edges: Edge<Node>[];
  nodes: Node[];
  pageInfo: PageInfoType;
  /** The list is counted only when this member is read. */
  readonly totalCount?: Promise<number> | null;
}

/** Maximum count of a list. It bounds the cost of counting long lists. */
export const MAX_TOTAL = 10_000;

/** Creates the GraphQL types `NAMEConnection` and `NAMEEdge`. */
export function connectionOf<Node extends object>(
  name: string,
  nodeType: ClassType<Node>,
  plural: string,
  { isCounted = false }: { isCounted?: boolean } = {},
): ClassType<Connection<Node>> {
  @ObjectType(`${name}Edge`, { description: `One of the ${plural}, and its position in the list.` })
  class EdgeType {
    @Field(() => String, {
      description: 'Cursor of this element, for `after`.',
    })
    cursor!: string;

    @Field(() => nodeType, { description: 'The element.' })
    node!: Node;
  }

  @ObjectType(`${name}Connection`, { description: `A page of ${plural}.` })
  class ConnectionType {
    @Field(() => [EdgeType], { description: `The ${plural} of this page, each with its cursor.` })
    edges!: EdgeType[];

    @Field(() => [nodeType], { description: `The ${plural} of this page.` })
    nodes!: Node[];

    @Field(() => PageInfoType, { description: 'Position of this page in the list.' })
    pageInfo!: PageInfoType;
  }
  if (isCounted) {
    const description = `Number of elements of all pages, up to ${MAX_TOTAL}; null in nested lists.`;
    Field(() => Int, { nullable: true, description })(ConnectionType.prototype, 'totalCount');
  }
  return ConnectionType as ClassType<Connection<Node>>;
}

/**
 * A request for a page from the store. `limit` is one more than the requested number: the
 * additional element shows that another page follows.
 */
export interface Page {
  after: string | undefined;
  limit: number;
}

/**
 * Reads the arguments of a page.
 * @throws GraphQLError BAD_USER_INPUT for an invalid page size or cursor
 */
export function toPage({ first, after }: PageArgs): Page {
  if (first < 1 || first > MAX_FIRST)
    throw badQuery(`first: expected a whole number from 1 to ${MAX_FIRST}, got ${first}`);
  if (after === null || after === undefined) return { after: undefined, limit: first + 1 };
  const [, key] = /^at:(.+)$/s.exec(Buffer.from(after, 'base64url').toString()) ?? [];
  if (key === undefined) throw badQuery('after: expected the endCursor of a page of this list');
  return { after: key, limit: first + 1 };
}

/**
 * Returns the number of a cursor, for lists that are ordered by a number. Returns `otherwise` for
 * the first page.
 * @throws GraphQLError for the cursor of another list
 */
export function numberAfter({ after }: Page, otherwise: number): number {
  if (after === undefined) return otherwise;
  if (/^\d{1,15}$/.test(after)) return Number(after);
  throw badQuery('after: expected the endCursor of a page of this list');
}

/**
 * Returns the numbers of a cursor. Returns undefined for the first page.
 * @throws GraphQLError for the cursor of another list
 */
export function numbersAfter({ after }: Page, count: number): number[] | undefined {
  if (after === undefined) return undefined;
  const numbers = after.split(',').map(Number);
  if (numbers.length === count && numbers.every(Number.isSafeInteger)) return numbers;
  throw badQuery('after: expected the endCursor of a page of this list');
}

/**
 * Returns a page in the form of the Relay specification.
 * @param rows rows that the store returned for `limit`; the additional row is not in the page
 * @param keyOf returns the key of a row for its cursor
 * @param count returns the number of elements of all pages. @default `totalCount` is null
 */
export function toConnection<Row, Node>(
  { limit, after }: Page,
  rows: readonly Row[],
  keyOf: (row: Row) => string | number,
  present: (row: Row) => Node,
  count?: () => Promise<number>,
): Connection<Node> {
  const edges = rows.slice(0, limit - 1).map((row) => ({
    cursor: Buffer.from(`at:${keyOf(row)}`).toString('base64url'),
    node: present(row),
  }));
  return {
    edges,
    nodes: edges.map(({ node }) => node),
    pageInfo: {
      hasNextPage: rows.length >= limit,
      hasPreviousPage: after !== undefined,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
    get totalCount() {
      return count ? count() : null;
    },
  };
}
