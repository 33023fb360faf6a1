import { expect } from 'vitest';
import { createPgDb } from '../../src/postgres/create-pg-db.js';
import type { Db } from '../../src/postgres/db.js';
import { ADMIN_TOKEN, type Answer, type Platform, post, startPlatform } from '../helpers/platform.js';
import { startRedisServer } from '../helpers/servers.js';
import { startTcpProxy, type TcpProxy } from '../helpers/tcp-proxy.js';
import { openServerDatabase } from '../postgres/databases.js';

export const QUERY = '{ country(code: "SE") { name } }';
/** A mutation whose actual cost equals its estimated cost, so that nothing is refunded. */
export const WRITE = 'mutation { noteSave(input: { place: "SWE", text: "hej" }) { note { id } } }';
export const PRO = { 'x-api-key': 'demo-pro' };
export const FREE = { 'x-api-key': 'demo-free' };

/**
 * The default deadline of decisions, for tests of a failing Redis. Other tests use a longer one.
 */
export const NOT_PATIENT = { TOLLGATE_REDIS_DEADLINE_MS: '25' };

/** A Redis and a database for one test, each behind a proxy. */
export interface Stack {
  redis: Awaited<ReturnType<typeof startRedisServer>>;
  toRedis: TcpProxy;
  toPostgres: TcpProxy;
  /** Direct connection to the database, without the proxy. */
  db: Db;
  databaseUrl: string;
  /** Starts a platform with the sample API; it is stopped with the stack. */
  start(env?: Record<string, string>, folder?: string): Promise<Platform>;
  /** Stops all platforms and then the servers. */
  stop(): Promise<void>;
}

export async function openStack(): Promise<Stack> {
  const redis = await startRedisServer();
  const database = await openServerDatabase('empty');
  const [toRedis, toPostgres] = await Promise.all([startTcpProxy(redis.url), startTcpProxy(database.url)]);
  const db = await createPgDb({ url: database.url, maxConnections: 3 });
  const platforms: Platform[] = [];
  return {
    redis,
    toRedis,
    toPostgres,
    db,
    databaseUrl: database.url,
    async start(env = {}, folder) {
      const platform = await startPlatform({
        env: { REDIS_URL: toRedis.url, DATABASE_URL: toPostgres.url, LOG_LEVEL: 'warn', ...env },
        args: ['--demo'],
        ...(folder !== undefined && { folder }),
      });
      platforms.push(platform);
      return platform;
    },
    async stop() {
      await Promise.all(platforms.map((platform) => platform.stop()));
      await Promise.all([toRedis.close(), toPostgres.close()]);
      await db.close();
      await database.dispose();
      await redis.stop();
    },
  };
}

/** Sends an operation to the sample API and requests the full cost report. */
export function ask(platform: Platform, headers: Record<string, string> = {}, query: string = QUERY): Promise<Answer> {
  return post(`${platform.url}/graphql`, query, { 'graphql-cost': 'report', ...headers });
}

export function askAdmin(platform: Platform, query: string): Promise<Answer> {
  return post(`${platform.url}/admin/graphql`, query, { authorization: `Bearer ${ADMIN_TOKEN}` });
}

/**
 * Raises the limit per address and minute so far that it never denies. All callers of a test have
 * the same address. The number of requests that they send depends on the speed of the machine.
 */
export async function liftAddressLimit(platform: Platform): Promise<void> {
  const rule = 'name: "many-per-address", scope: IP, field: "*", measure: REQUESTS, priority: 10';
  const limits = '[{ slidingWindowCounter: { amount: 1000000000, windowMs: 60000 } }]';
  const create = `ruleCreate(input: { ${rule}, limits: ${limits} }) { userErrors { message } }`;
  const { body } = await askAdmin(platform, `mutation { ${create} }`);
  expect(body.data.ruleCreate.userErrors).toEqual([]);
}

/** Returns the response of `/readyz`. */
export async function readiness(platform: Platform): Promise<{ status: string; reason?: string; degraded?: string[] }> {
  const answer = await fetch(`${platform.url}/readyz`, { headers: { connection: 'close' } });
  return (await answer.json()) as { status: string; reason?: string; degraded?: string[] };
}

/** Returns whether `/readyz` reports a degraded part with these words. */
export async function isDegraded(platform: Platform, words: string): Promise<boolean> {
  return JSON.stringify((await readiness(platform)).degraded ?? []).includes(words);
}
