import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { loadConfig, type RunningServer, type StartServerOptions, startServer } from '../../src/entry/server.js';
import { PATIENT_MS } from '../helpers/patient.js';
import { ADMIN_TOKEN } from '../helpers/platform.js';
import { startRedisServer, type TestServer } from '../helpers/servers.js';
import { openServerDatabase } from '../postgres/databases.js';

const DIRECTIVES = readFileSync(new URL('../../schema/directives.graphql', import.meta.url), 'utf8');
/** Types of the API that the deciders of the tests price. */
export const SHOP = `
  type Query {
    item: Item
    items(first: Int!): [Item!]! @listSize(slicingArguments: ["first"])
    slow: Item
  }
  type Mutation { save: Item }
  type Item { name: String, parent: Item }
`;
const DAY_MS = 86_400_000;

// biome-ignore lint/suspicious/noExplicitAny: the tests check the shapes of responses.
export type Json = any;

/** A platform that serves decisions, in this process. */
export interface Decider {
  url: string;
  ask(path: string, body: unknown, headers?: Record<string, string>): Promise<{ status: number; body: Json }>;
  decide(members?: object): Promise<Json>;
  settle(members: object): Promise<Json>;
  /** Tokens that are left to a user. */
  left(user: string): Promise<number>;
}

export interface DeciderWorld {
  redis: TestServer;
  database: { url: string };
  /** Starts a platform on the Redis and the database of the world. */
  start(settings?: Record<string, string>, options?: StartServerOptions): Promise<Decider>;
  end(): Promise<void>;
}

/** @param postgres server of the world. @default a database of the shared server */
export async function openWorld(postgres?: TestServer): Promise<DeciderWorld> {
  const redis = await startRedisServer();
  const database = postgres ? { url: postgres.url, dispose: () => postgres.stop() } : await openServerDatabase('empty');
  // Worlds share no copy of the rules on the disk.
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-decisions-'));
  const running: RunningServer[] = [];
  return {
    redis,
    database,
    async start(settings = {}, options = {}) {
      const env = {
        REDIS_URL: redis.url,
        DATABASE_URL: database.url,
        TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN,
        TOLLGATE_DECISIONS: 'true',
        TOLLGATE_DATA_DIR: folder,
        TOLLGATE_REDIS_DEADLINE_MS: String(PATIENT_MS),
        ...settings,
      };
      const schema = makeExecutableSchema({ typeDefs: [DIRECTIVES, SHOP] });
      const server = await startServer({
        schema,
        tiers: [{ name: 'small', capacity: 1000, refillAmount: 1, refillPeriodMs: DAY_MS, isDefault: true }],
        config: { ...loadConfig({ env }), port: 0 },
        logger: { info() {}, warn() {}, error() {} },
        ...options,
      });
      running.push(server);
      return deciderAt(`http://127.0.0.1:${server.port}`);
    },
    async end() {
      for (const server of running.splice(0)) await server.stop();
      await database.dispose();
      await redis.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function deciderAt(url: string): Decider {
  const ask: Decider['ask'] = async (path, body, headers = {}) => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${ADMIN_TOKEN}`, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  return {
    url,
    ask,
    decide: async (members = {}) =>
      (await ask('/v1/decide', { query: ITEMS, variables: { first: 10 }, subject: { user: 'ann' }, ...members })).body,
    settle: async (members) => (await ask('/v1/settle', members)).body,
    async left(user) {
      const { body } = await ask('/v1/peek', { query: '{ item { name } }', subject: { user } });
      return body.limits.find(({ rule }: { rule: string }) => rule === 'tier:small').remaining;
    },
  };
}

/** Costs as many tokens as items. */
export const ITEMS = 'query ($first: Int!) { items(first: $first) { name } }';
