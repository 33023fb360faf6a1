import { Redis } from 'ioredis';
import { expect, onTestFinished } from 'vitest';
import { createPgDb } from '../../src/postgres/create-pg-db.js';
import { type LiveRules, startLiveRules } from '../../src/rules/live/live-rules.js';
import { createRulesStore, type RulesStore } from '../../src/rules/store/rules-store.js';
import { startRedisServer, uniqueName } from '../helpers/servers.js';
import { type CutPoint, type Fault, startTcpProxy, type TcpProxy } from '../helpers/tcp-proxy.js';
import { until } from '../helpers/until.js';
import { openServerDatabase } from '../postgres/databases.js';

const ADMIN = { name: 'ann', authMethod: 'ADMIN_TOKEN' as const };
const NEVER_MS = 3_600_000;

/** The messages of the change feed, with the connection that each of them uses. */
export const FEED_MESSAGES = {
  publish: { way: 'writerRedis', text: /^publish,tg:changes,/i },
  subscribe: { way: 'readerRedis', text: /^subscribe,tg:changes$/i },
  'poll for changes': { way: 'readerPostgres', text: /from changes where number > \$1 order by/ },
  'read of the rules': { way: 'readerPostgres', text: /entity_key as key from changes/ },
} as const;
export type FeedMessage = keyof typeof FEED_MESSAGES;

type Way = (typeof FEED_MESSAGES)[FeedMessage]['way'];

/** A Redis and a PostgreSQL behind proxies, for one instance that writes and one that reads. */
export interface FeedServers {
  redisUrl: string;
  databaseUrl: string;
  ways: Record<Way, TcpProxy>;
  stop(): Promise<void>;
}

export async function startFeedServers(): Promise<FeedServers> {
  const [redis, database] = await Promise.all([startRedisServer(), openServerDatabase()]);
  const [writerRedis, readerRedis, readerPostgres] = await Promise.all([
    startTcpProxy(redis.url),
    startTcpProxy(redis.url),
    startTcpProxy(database.url),
  ]);
  const ways = { writerRedis, readerRedis, readerPostgres };
  await createRulesStore(database.db).ensureTiers(
    [{ name: 'free', isDefault: true, capacity: 100, refillAmount: 1, refillPeriodMs: 1000 }],
    ADMIN,
  );
  return {
    redisUrl: redis.url,
    databaseUrl: database.url,
    ways,
    async stop() {
      await Promise.all(Object.values(ways).map((way) => way.close()));
      await database.dispose();
      await redis.stop();
    },
  };
}

interface Instance {
  live: LiveRules;
  store: RulesStore;
  ruleNames(): string[];
}

/** Starts the live rules of one instance, with its own connections. */
async function startInstance(redisUrl: string, databaseUrl: string, pollMs: number): Promise<Instance> {
  const redis = new Redis(redisUrl, { retryStrategy: () => 20 });
  redis.on('error', () => {});
  const db = await createPgDb({ url: databaseUrl, maxConnections: 3 });
  const store = createRulesStore(db);
  const live = await startLiveRules({ db, store, redis, prepare: async () => {}, pollMs, resyncMs: NEVER_MS });
  onTestFinished(async () => {
    await live.close();
    await db.close();
    redis.disconnect();
  });
  return { live, store, ruleNames: () => live.ruleset().rules.map(({ name }) => name) };
}

/** Starts the instance that writes, and prepares the one that reads. */
export async function startFeed({ redisUrl, databaseUrl, ways }: FeedServers, pollMs: number) {
  for (const way of Object.values(ways)) await way.set({ kind: 'pass' });
  const writer = await startInstance(ways.writerRedis.url, databaseUrl, NEVER_MS);
  const startReader = () => startInstance(ways.readerRedis.url, ways.readerPostgres.url, pollMs);
  const listeners = async () => {
    const redis = new Redis(redisUrl);
    const [, count] = (await redis.pubsub('NUMSUB', 'tg:changes')) as [string, number];
    redis.disconnect();
    return count;
  };
  return { writer, startReader, listeners };
}

export async function addRule({ store }: Instance): Promise<string> {
  const name = uniqueName('rule');
  const limits = [{ algorithm: 'FIXED_WINDOW' as const, amount: 20, windowMs: 60_000 }];
  const outcome = await store.createRule(
    { name, scope: 'USER', field: 'Query.search', measure: 'CALLS', limits },
    ADMIN,
  );
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.userErrors));
  return name;
}

/**
 * Cuts the connection at the nth of these messages. Returns the fault and the number of messages so
 * far.
 */
function cutAt(message: FeedMessage, nth: number, point: CutPoint): { fault: Fault; sent: () => number } {
  let sent = 0;
  const { text } = FEED_MESSAGES[message];
  const at = (command: readonly Buffer[]) => {
    if (!text.test(command.map((part) => part.toString('latin1')).join())) return undefined;
    sent++;
    return sent === nth ? point : undefined;
  };
  return { fault: { kind: 'cut', at }, sent: () => sent };
}

/**
 * Adds rules and cuts the connection at the nth message. Then adds one more rule. Expects that the
 * reading instance gets all of these rules.
 */
export async function expectArrival(servers: FeedServers, message: FeedMessage, nth: number, point: CutPoint) {
  const { writer, startReader } = await startFeed(servers, 50);
  const { way } = FEED_MESSAGES[message];
  const cut = cutAt(message, nth, point);
  // The reader subscribes at its start.
  const isAtStart = message === 'subscribe';
  if (isAtStart) await servers.ways[way].set(cut.fault);
  const reader = await startReader();
  if (!isAtStart) await servers.ways[way].set(cut.fault);
  const names: string[] = [];
  // The writer publishes one message for each rule.
  for (let i = 0; i < nth; i++) names.push(await addRule(writer));
  await until(`${message} ${nth} is cut`, () => cut.sent() >= nth);
  names.push(await addRule(writer));
  const what = `the rules are in force after a cut of ${message} ${nth} (${point})`;
  await until(what, () => names.every((name) => reader.ruleNames().includes(name)));
  // The reader must have exactly the rules of the writer, each once, at the same version.
  await until('PostgreSQL answers', () => reader.live.health().databaseAway === undefined);
  expect(reader.ruleNames()).toEqual(writer.ruleNames());
  expect(reader.live.ruleset().version).toBe(writer.live.ruleset().version);
}
