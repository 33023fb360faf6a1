import { makeExecutableSchema } from '@graphql-tools/schema';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadConfig, type RunningServer, startServer } from '../../../src/entry/server.js';
import { PATIENT_MS } from '../../helpers/patient.js';
import { ADMIN_TOKEN, post } from '../../helpers/platform.js';
import { startRedisServer, type TestServer } from '../../helpers/servers.js';
import { openServerDatabase } from '../../postgres/databases.js';

const QUIET = { info() {}, warn() {}, error() {} };
const ITEMS = 100;
const schema = makeExecutableSchema({
  typeDefs: 'type Query { items(first: Int, after: Int): [Item!]! secret: String } type Item { id: Int name: String }',
  resolvers: {
    Query: {
      items: (_, { first = 10, after = 0 }) =>
        Array.from({ length: Math.min(first, ITEMS - after) }, (_each, index) => ({
          id: after + index + 1,
          name: 'x',
        })),
    },
  },
});

let redis: TestServer;
let database: Awaited<ReturnType<typeof openServerDatabase>>;
let server: RunningServer;
let url: string;
beforeAll(async () => {
  [redis, database] = await Promise.all([startRedisServer(), openServerDatabase('empty')]);
  const env = {
    REDIS_URL: redis.url,
    DATABASE_URL: database.url,
    TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN,
    TOLLGATE_REDIS_DEADLINE_MS: String(PATIENT_MS),
  };
  server = await startServer({ config: { ...loadConfig({ env }), port: 0 }, logger: QUIET, schema });
  url = `http://127.0.0.1:${server.port}`;
});
afterAll(async () => {
  await server.stop();
  await database.dispose();
  await redis.stop();
});

/** Creates a user with a key, and returns the key. */
async function createKey(user: string, members: string): Promise<string> {
  const change = `mutation {
    subjectCreate(input: { user: "${user}" }) { userErrors { message } }
    apiKeyCreate(input: { user: "${user}", kind: AGENT, ${members} }) { secret userErrors { message } }
  }`;
  const { body } = await post(`${url}/admin/graphql`, change, { authorization: `Bearer ${ADMIN_TOKEN}` });
  return body.data.apiKeyCreate.secret;
}

interface ToolResult {
  data?: { items: { id: number }[] };
  errors?: {
    message: string;
    extensions: {
      code: string;
      retryAfterMs?: number;
      suggestion?: { variable?: string; largest: number };
    };
  }[];
}

/** Calls a tool as Apollo MCP Server does: one operation, and the name of the client library. */
async function callTool(key: string, query: string, variables: object): Promise<ToolResult> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({
      query,
      variables,
      operationName: 'Items',
      extensions: { clientLibrary: { name: 'mcp', version: '1.0.0' } },
    }),
  });
  // An MCP server passes only the body to the model.
  return (await response.json()) as ToolResult;
}

it('a program that reads only messages and extensions of errors finishes its task with at most two denials', async () => {
  const key = await createKey('reader', 'budget: { capacity: 60, refillAmount: 60, refillPeriodMs: 1000 }');
  const query = 'query Items($first: Int, $after: Int) { items(first: $first, after: $after) { id name } }';
  const read: number[] = [];
  const denials: string[] = [];
  let first = ITEMS;
  while (read.length < ITEMS) {
    const { data, errors } = await callTool(key, query, { first, after: read.length });
    if (data) {
      read.push(...data.items.map(({ id }) => id));
      first = ITEMS - read.length;
      continue;
    }
    const { message, extensions } = errors![0]!;
    denials.push(`${extensions.code}: ${message}`);
    const { suggestion, retryAfterMs } = extensions;
    // A program that took each smaller size at once would need more attempts on a slow machine.
    if (suggestion && retryAfterMs === undefined) {
      expect(suggestion.variable).toBe('first');
      expect(message).toContain(`lower $first, which sets Query.items(first:), to ${suggestion.largest}`);
      first = suggestion.largest;
    } else {
      expect(message).toMatch(/retry in \d+ second/);
      await new Promise((resolve) => setTimeout(resolve, retryAfterMs));
    }
    expect(denials.length, denials.join('\n')).toBeLessThanOrEqual(2);
  }
  expect(read).toEqual(Array.from({ length: ITEMS }, (_, index) => index + 1));
  expect(denials.length).toBeGreaterThan(0);
});

it('a tool that selects a field outside the fields of the key gets an error that names the field', async () => {
  const key = await createKey('restricted', 'fields: ["Query.items"]');
  expect((await callTool(key, 'query Items { items(first: 2) { id } }', {})).data?.items).toHaveLength(2);
  const { errors } = await callTool(key, 'query Items { items(first: 2) { id } secret }', {});
  expect(errors).toMatchObject([{ extensions: { code: 'FIELD_NOT_ALLOWED', coordinate: 'Query.secret' } }]);
});
