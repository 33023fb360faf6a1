import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  buildClientSchema,
  buildSchema,
  type GraphQLSchema,
  getIntrospectionQuery,
  lexicographicSortSchema,
  printSchema,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createPgDb } from '../../src/postgres/create-pg-db.js';
import { ADMIN_TOKEN, post } from '../helpers/platform.js';
import { freePort, uniqueName } from '../helpers/servers.js';
import { until } from '../helpers/until.js';
import { type BuiltImage, runDockerfile } from './run-dockerfile.js';

// Builds and starts the image of the Dockerfile without Docker: in an empty folder, only from the
// files that it copies, with NODE_ENV=production. The last test uses Docker if it is available.

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const BUILD_MS = 600_000;
const START_MS = 180_000;

/**
 * Returns the schema for a comparison with the bundle. Bundling must not rename classes, because
 * the types of the schema get their names from classes.
 */
const adminSchema = () => printSorted(buildSchema(readFileSync(join(ROOT, 'schema/admin.graphql'), 'utf8')));

async function adminSchemaOf(url: string): Promise<string> {
  const authorization = `Bearer ${ADMIN_TOKEN}`;
  const query = getIntrospectionQuery({ inputValueDeprecation: true, specifiedByUrl: true, oneOf: true });
  const { body } = await post(`${url}/admin/graphql`, query, { authorization });
  return printSorted(buildClientSchema(body.data));
}

const printSorted = (schema: GraphQLSchema) => printSchema(lexicographicSortSchema(schema));

/**
 * An address of this machine that other machines could connect to, as they do to a container. The
 * loopback address if there is no other.
 */
const outer =
  Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.family === 'IPv4' && !one.internal)?.address ?? '127.0.0.1';

describe('the files of the image', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-image-'));
  /**
   * Environment without this checkout's settings and packages. `node` in this environment is the
   * Node.js that runs the tests.
   */
  const bare = {
    PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
    HOME: process.env['HOME'],
    NODE_ENV: 'production',
  };
  let image: BuiltImage;
  beforeAll(() => {
    const env = { ...bare, npm_config_prefer_offline: 'true' };
    image = runDockerfile({ dockerfile: join(ROOT, 'Dockerfile'), context: ROOT, folder, env });
  }, BUILD_MS);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Starts the command of the image as a process, in place of a container. */
  async function start(env: Record<string, string>) {
    const port = String(await freePort());
    const settings = { ...bare, ...image.env, TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN, PORT: port, ...env };
    const [program = '', ...args] = image.command;
    const child: ChildProcess = spawn(program, args, { cwd: image.workdir, env: settings });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
    const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
    const url = `http://${outer}:${port}`;
    const isReady = () =>
      fetch(`${url}/readyz`, { headers: { connection: 'close' } }).then(
        ({ ok }) => ok,
        () => false,
      );
    await until(
      'the platform is ready',
      async () => {
        if (child.exitCode !== null) throw new Error(`the image ended with ${child.exitCode}:\n${output}`);
        return isReady();
      },
      START_MS,
    );
    const [checker = '', ...checks] = image.healthCommand;
    return {
      url,
      output: () => output,
      health: () => spawnSync(checker, checks, { cwd: image.workdir, env: settings }).status,
      async stop() {
        child.kill('SIGTERM');
        return exited;
      },
    };
  }

  it('the image contains what it needs at run time and no build tools', () => {
    const packages = readdirSync(image.at('/app/node_modules'));
    expect(packages).toEqual(expect.arrayContaining(['tollgate', 'tollgate-platform', 'express', 'pg', 'ioredis']));
    for (const name of ['typescript', 'vitest', 'tsx', '@biomejs']) expect(packages).not.toContain(name);
    expect(existsSync(image.at('/data'))).toBe(true);
    expect(image.env).toMatchObject({ NODE_ENV: 'production', HOST: '0.0.0.0' });
  });

  it('the image starts embedded, listens on all addresses, and is healthy while it is ready', {
    timeout: 2 * START_MS,
  }, async () => {
    const platform = await start({});
    expect(platform.output()).toMatch(/Tollgate is ready, embedded/);
    const answer = await post(`${platform.url}/graphql`, '{ country(code: "SE") { name } }', {
      'x-api-key': 'demo-free',
    });
    expect(answer.body.data).toEqual({ country: { name: 'Sweden' } });
    expect(readdirSync(image.at('/data'))).toContain('postgres');
    expect(platform.health()).toBe(0);
    expect(await platform.stop()).toBe(0);
    expect(platform.health()).toBe(1);
  });

  it('the image starts on an external Redis and PostgreSQL with a separate metrics port, and stops with status 0', {
    timeout: 2 * START_MS,
  }, async () => {
    const name = uniqueName('image');
    const db = await createPgDb({ url: inject('databaseUrl') });
    await db.query(`create database ${name}`);
    const database = new URL(inject('databaseUrl'));
    database.pathname = `/${name}`;
    const metricsPort = String(await freePort());
    const platform = await start({
      REDIS_URL: inject('redisUrl'),
      DATABASE_URL: database.href,
      TOLLGATE_DEMO: 'true',
      TOLLGATE_METRICS_PORT: metricsPort,
    });
    try {
      expect(platform.output()).toMatch(/Tollgate is ready, on Redis and PostgreSQL/);
      const answer = await post(`${platform.url}/admin/graphql`, '{ health { ok } }', {
        authorization: `Bearer ${ADMIN_TOKEN}`,
      });
      expect(answer.body.data.health.ok).toBe(true);
      expect(await adminSchemaOf(platform.url)).toBe(adminSchema());
      expect(platform.health()).toBe(0);
      expect((await fetch(`${platform.url}/metrics`, { headers: { connection: 'close' } })).status).toBe(404);
      const metrics = await fetch(`http://${outer}:${metricsPort}/metrics`, { headers: { connection: 'close' } });
      expect(await metrics.text()).toContain('tollgate_decisions_total');
    } finally {
      expect(await platform.stop()).toBe(0);
      await db.query(`drop database ${name} with (force)`);
      await db.close();
    }
  });
});

describe('the image in Docker', () => {
  const docker = (...args: string[]) => spawnSync('docker', args, { cwd: ROOT, encoding: 'utf8' });

  it('Docker builds the image, and its container becomes healthy', { timeout: 2 * BUILD_MS }, async ({ skip }) => {
    if (docker('version').status !== 0) {
      const reason = 'Docker is unavailable: the image was built and started only without Docker';
      process.stderr.write(`\nSKIPPED: ${reason}\n`);
      skip(reason);
    }
    const tag = uniqueName('tollgate').toLowerCase();
    const built = docker('build', '-t', tag, '.');
    expect(built.status, built.stderr).toBe(0);
    const { stdout } = docker('run', '-d', '--rm', '-p', '127.0.0.1::4000', tag);
    const id = stdout.trim();
    try {
      await until(
        'the container is healthy',
        () => docker('inspect', '-f', '{{.State.Health.Status}}', id).stdout.trim() === 'healthy',
        START_MS,
      );
      const place = docker('port', id, '4000').stdout.trim();
      expect((await fetch(`http://${place}/readyz`)).status).toBe(200);
    } finally {
      docker('rm', '-f', id);
      docker('rmi', '-f', tag);
    }
  });
});
