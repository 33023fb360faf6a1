import {
  buildClientSchema,
  buildSchema,
  type GraphQLFieldMap,
  type GraphQLInputObjectType,
  graphqlSync,
  type IntrospectionQuery,
} from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { introspect } from '../../src/gateway/schema/introspect.js';
import { UpstreamFailure } from '../../src/gateway/upstream/upstream-failure.js';
import { openGateway, serveUpstream } from './gateway.js';

const SDL = /* GraphQL */ `
  directive @tag(name: String, old: Int = 1 @deprecated) repeatable on FIELD
  scalar Long @specifiedBy(url: "https://example.com/long")
  input Filter { fresh: Int, old: Int = 50 @deprecated }
  input Pick @oneOf { a: Int, b: Int }
  enum Order { UP DOWN @deprecated }
  type Item { name: String, old: Int @deprecated }
  type Query {
    items(first: Int = 500 @deprecated, limit: Long): [Item!]!
    pick(by: Pick, filter: Filter, order: Order): Item
  }
`;
const schema = buildSchema(SDL);

/** Parts that were added to introspection later, and the pattern that finds each in a query. */
const LATER = {
  'args(includeDeprecated)': /args\(includeDeprecated/,
  'inputFields(includeDeprecated)': /inputFields\(includeDeprecated/,
  'InputValue.isDeprecated': /fragment InputValue on __InputValue \{[^}]*\}[^}]*isDeprecated/,
  isRepeatable: /isRepeatable/,
  specifiedByURL: /specifiedByURL/,
  isOneOf: /isOneOf/,
};
type Later = keyof typeof LATER;

interface OlderApi {
  asked: string[];
  ask(query: string): Promise<unknown>;
}

/**
 * Returns an API that rejects queries for some parts of introspection, as older servers do. If
 * `answersFor` is false, it also rejects the query for the parts that it supports.
 */
function apiWithout(parts: readonly Later[], { answersFor = true } = {}): OlderApi {
  const asked: string[] = [];
  return {
    asked,
    async ask(query) {
      asked.push(query);
      if (query.includes('__type(')) return answersFor ? typesWithout(query, parts) : { errors: [{ message: 'no' }] };
      const rejected = parts.find((part) => LATER[part].test(query));
      if (rejected !== undefined) return { errors: [{ message: `Unknown: ${rejected}` }] };
      return graphqlSync({ schema, source: query });
    },
  };
}

function typesWithout(query: string, parts: readonly Later[]): unknown {
  const answer = JSON.parse(JSON.stringify(graphqlSync({ schema, source: query })));
  for (const type of Object.values<{ name: string; fields: { name: string; args: unknown[] }[] }>(answer.data)) {
    type.fields = type.fields.filter(
      ({ name }) =>
        !parts.includes(name as Later) &&
        !(type.name === '__InputValue' && parts.includes('InputValue.isDeprecated') && name === 'isDeprecated'),
    );
    for (const field of type.fields) if (parts.includes(`${field.name}(includeDeprecated)` as Later)) field.args = [];
  }
  return answer;
}

/** Returns the later parts that the schema in an introspection result contains. */
function findParts(answer: unknown): Later[] {
  const read = buildClientSchema((answer as { data: IntrospectionQuery }).data);
  const query: GraphQLFieldMap<unknown, unknown> = read.getQueryType()!.getFields();
  const filter = read.getType('Filter') as GraphQLInputObjectType;
  const first = query['items']!.args.find(({ name }) => name === 'first');
  const found: Later[] = [];
  if (first?.defaultValue === 500) found.push('args(includeDeprecated)');
  if (filter.getFields()['old']?.defaultValue === 50) found.push('inputFields(includeDeprecated)');
  if (read.getDirective('tag')!.isRepeatable) found.push('isRepeatable');
  if ((read.getType('Pick') as GraphQLInputObjectType).isOneOf) found.push('isOneOf');
  if ((read.getType('Long') as { specifiedByURL?: string }).specifiedByURL) found.push('specifiedByURL');
  return found;
}
const ALL = Object.keys(LATER) as Later[];

describe('introspection of an API', () => {
  it('introspection includes deprecated elements and needs one query when the API supports them', async () => {
    const api = apiWithout([]);
    const answer = await introspect(api.ask);
    expect(findParts(answer).sort()).toEqual(ALL.filter((part) => part !== 'InputValue.isDeprecated').sort());
    expect(JSON.stringify(answer)).toMatch(/"DOWN".*/);
    expect(api.asked).toHaveLength(1);
  });

  it('introspection returns every part that the API supports, for any combination of unsupported parts', async () => {
    for (let bits = 1; bits < 2 ** ALL.length; bits++) {
      const missing = ALL.filter((_, index) => bits & (2 ** index));
      const api = apiWithout(missing);
      const found = findParts(await introspect(api.ask));
      const expected = ALL.filter((part) => part !== 'InputValue.isDeprecated' && !missing.includes(part));
      expect(found.sort(), missing.join()).toEqual(expected.sort());
      expect(api.asked, missing.join()).toHaveLength(3);
    }
  });

  it('introspection falls back to the oldest form when the API does not report what it supports', async () => {
    const api = apiWithout(['isOneOf'], { answersFor: false });
    expect(findParts(await introspect(api.ask))).toEqual([]);
    expect(api.asked).toHaveLength(3);
  });

  it('introspection retries when the API response to an unsupported part is not GraphQL', async () => {
    const api = apiWithout([]);
    const answer = await introspect(async (query) => {
      if (!query.includes('isOneOf')) return api.ask(query);
      const failure = new UpstreamFailure('UPSTREAM_INVALID_ANSWER', { hasRun: true, status: 500 });
      throw new Error('HTML', { cause: failure });
    }).catch(() => undefined);
    expect(answer).toBeUndefined();
    const older = apiWithout(['isOneOf']);
    const found = await introspect(async (query) => {
      const response = (await older.ask(query)) as { errors?: unknown };
      if (!response.errors) return response;
      throw new Error('HTML', { cause: new UpstreamFailure('UPSTREAM_INVALID_ANSWER', { hasRun: true, status: 500 }) });
    });
    expect(findParts(found)).toContain('args(includeDeprecated)');
  });

  it('introspection does not retry when the API is unreachable', async () => {
    let asked = 0;
    const away = async () => {
      asked++;
      throw new Error('away', { cause: new UpstreamFailure('UPSTREAM_UNAVAILABLE', { hasRun: false }) });
    };
    await expect(introspect(away)).rejects.toThrow('away');
    expect(asked).toBe(1);
  });
});

describe('a gateway that reads the schema from its API', () => {
  let gateway: Awaited<ReturnType<typeof openGateway>>;
  let upstream: Awaited<ReturnType<typeof serveUpstream>>;
  beforeAll(async () => {
    upstream = await serveUpstream();
    upstream.behave = (_, response) => {
      const { query, variables } = JSON.parse(upstream.lastBody);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(graphqlSync({ schema, source: query, variableValues: variables })));
    };
    gateway = await openGateway(upstream.url, { schemaFile: undefined });
  });

  it('callers may use deprecated arguments and input fields, which are priced by their defaults', async () => {
    const price = async (query: string) => {
      const { body } = await gateway.ask(query, { 'graphql-cost': 'validate' });
      return body.errors?.[0].message ?? body.extensions.cost.requestedQueryCost;
    };
    expect(await price('{ items { name } }')).toBe(500);
    expect(await price('{ items(first: 7) { name } }')).toBe(7);
    expect(await price('{ pick(filter: { old: 1 }) { name } }')).toBe(1);
    expect(await price('{ pick(by: { a: 1, b: 2 }) { name } }')).toContain('OneOf');
    expect(await price('{ pick { name @tag(old: 2) @tag(name: "a") } }')).toBe(1);
  });
});
