import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {} from 'vitest';
import type { TestProject } from 'vitest/node';
import { createPgDb } from '../../src/postgres/create-pg-db.js';
import { findBinary, startPostgresServer, startRedisServer, type TestServer, uniqueName } from './servers.js';

declare module 'vitest' {
  export interface ProvidedContext {
    redisUrl: string;
    databaseUrl: string;
    /** Name of the migrated database that tests copy: see `databases.ts`. */
    templateDatabase: string;
    /** Folder for files that the tests share. It is removed at the end of the run. */
    scratchFolder: string;
  }
}

/**
 * Finds a real Redis and a real PostgreSQL for the whole run, and logs the choice. It uses the URLs
 * of the environment, otherwise containers if Docker is available, otherwise local binaries. If a
 * server is missing, the run fails instead of skipping tests.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const started: TestServer[] = [];
  const scratchFolder = mkdtempSync(join(tmpdir(), 'tollgate-tests-'));
  const templateDatabase = uniqueName('tollgate_template');
  let databaseUrl: string | undefined;
  const end = async () => {
    if (databaseUrl !== undefined) await dropDatabase(databaseUrl, templateDatabase);
    await stopAll(started);
    rmSync(scratchFolder, { recursive: true, force: true });
  };
  try {
    const redis = await chooseRedis();
    started.push(redis);
    const postgres = await choosePostgres();
    started.push(postgres);
    databaseUrl = postgres.url;
    console.info(`test servers: Redis from ${redis.origin}, PostgreSQL from ${postgres.origin}`);
    project.provide('redisUrl', redis.url);
    project.provide('databaseUrl', postgres.url);
    project.provide('templateDatabase', templateDatabase);
    project.provide('scratchFolder', scratchFolder);
  } catch (error) {
    await end();
    throw error;
  }
  return end;
}

/**
 * Drops the template database. A server that existed before the run keeps running, with its other
 * databases.
 */
async function dropDatabase(url: string, name: string): Promise<void> {
  const admin = await createPgDb({ url, maxConnections: 1 });
  await admin.query(`drop database if exists ${name} with (force)`);
  await admin.close();
}

async function stopAll(servers: TestServer[]): Promise<void> {
  await Promise.all(servers.map((server) => server.stop()));
}

async function chooseRedis(): Promise<TestServer> {
  const url = process.env['TEST_REDIS_URL'];
  if (url) return { url, origin: 'environment', stop: async () => {} };
  return (await inContainer('redis:7', 6379, (host, port) => `redis://${host}:${port}`)) ?? startRedisServer();
}

async function choosePostgres(): Promise<TestServer> {
  const url = process.env['TEST_DATABASE_URL'];
  if (url) return { url, origin: 'environment', stop: async () => {} };
  const toUrl = (host: string, port: number) => `postgres://tollgate:tollgate@${host}:${port}/postgres`;
  const environment = { POSTGRES_USER: 'tollgate', POSTGRES_PASSWORD: 'tollgate' };
  return (await inContainer('postgres:16', 5432, toUrl, environment)) ?? startPostgresServer();
}

/**
 * Starts a container, or returns undefined if Docker is unavailable. Detecting that takes a
 * millisecond.
 */
async function inContainer(
  image: string,
  port: number,
  toUrl: (host: string, port: number) => string,
  environment: Record<string, string> = {},
): Promise<TestServer | undefined> {
  if (!findBinary('docker')) return undefined;
  const { GenericContainer, getContainerRuntimeClient } = await import('testcontainers');
  try {
    await getContainerRuntimeClient();
  } catch {
    return undefined; // The Docker engine does not run. The calling code then starts local binaries.
  }
  const container = await new GenericContainer(image).withEnvironment(environment).withExposedPorts(port).start();
  return {
    url: toUrl(container.getHost(), container.getMappedPort(port)),
    origin: 'container',
    stop: async () => {
      await container.stop();
    },
  };
}
