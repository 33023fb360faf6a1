import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { accessSync, chownSync, constants, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/**
 * A server that the tests started, or that the environment names. `stop` ends only a server that
 * the tests started.
 */
export interface TestServer {
  url: string;
  /** Origin of the server, for the log line about the choice. */
  origin: 'environment' | 'container' | 'local binary';
  stop(): Promise<void>;
}

// A server may begin to listen on its port seconds after the port was chosen. Until then, no other
// process may use the port. Therefore, each worker of vitest has separate ports. They are below the
// ports of outgoing connections (32768 and above) and of a cluster's bus (the node's port +
// 10,000).
const PORTS_EACH = 2_000;
const FIRST_PORT = 12_000 + (Number(process.env['VITEST_POOL_ID'] ?? 0) % 5) * PORTS_EACH;
let nextPort = Math.floor(Math.random() * PORTS_EACH);

/** Returns a free port, which it returns again only after trying all other ports of this worker. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + nextPort;
    nextPort = (nextPort + 1) % PORTS_EACH;
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** Returns the path of an executable in PATH, or in Debian's folder of PostgreSQL, or undefined. */
export function findBinary(name: string): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const path = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];
  const folders = [...path, ...versions.map((v) => join(debian, v, 'bin'))];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Program that the tests start as Redis: `redis-server`, or a compatible server. */
export const REDIS_SERVER = process.env['TEST_REDIS_SERVER'] ?? 'redis-server';

/**
 * Starts a `redis-server` on a free port, without persistence; `args` are appended to its command
 * line.
 */
export async function startRedisServer(
  args: string[] = [],
): Promise<TestServer & { port: number; process: ChildProcess }> {
  const binary = findBinary(REDIS_SERVER);
  if (!binary)
    throw new Error(`${REDIS_SERVER} is not installed: run \`npm test\`, which installs it, or set TEST_REDIS_URL`);
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-redis-'));
  const child = spawn(
    binary,
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder, ...args],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  await untilPrinted(child, /Ready to accept connections/, REDIS_SERVER);
  return {
    url: `redis://127.0.0.1:${port}`,
    origin: 'local binary',
    port,
    process: child,
    stop: () => stopChild(child, folder),
  };
}

/** Starts a PostgreSQL on a free port, without fsync. */
export function startPostgresServer(): Promise<PostgresServer> {
  return startPostgres('initdb', (data) => ['-D', data, '-U', 'tollgate', '-A', 'trust', '-E', 'UTF8', '--no-sync']);
}

/** Starts a streaming replica of a PostgreSQL server on a free port. */
export function startPostgresReplica(primaryUrl: string): Promise<PostgresServer> {
  return startPostgres('pg_basebackup', (data) => ['-D', data, '-d', primaryUrl, '-R', '-X', 'stream', '-c', 'fast']);
}

type PostgresServer = TestServer & { process: ChildProcess };

/**
 * Creates the folder of a PostgreSQL with a command, and starts it. PostgreSQL does not run as
 * root. For root it is started as the `postgres` user, which its package creates.
 */
async function startPostgres(command: string, argsFor: (data: string) => string[]): Promise<PostgresServer> {
  const create = findBinary(command);
  const postgres = findBinary('postgres');
  if (!create || !postgres) {
    throw new Error('PostgreSQL is not installed: run `npm test`, which installs it, or set TEST_DATABASE_URL');
  }
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-postgres-'));
  const as = process.getuid?.() === 0 ? userIds('postgres') : undefined;
  if (as) chownSync(folder, as.uid, as.gid);
  const data = join(folder, 'data');
  const options = { ...as, cwd: folder, env: { ...process.env, LC_ALL: 'C', HOME: folder } };
  execFileSync(create, argsFor(data), { ...options, stdio: ['ignore', 'ignore', 'inherit'] });
  const port = await freePort();
  const child = spawn(
    postgres,
    ['-D', data, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', `unix_socket_directories=${folder}`]
      .concat(['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off'])
      .concat(['-c', 'max_connections=200']),
    { ...options, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  await untilPrinted(child, /database system is ready to accept (?:read-only )?connections/, 'postgres');
  return {
    url: `postgres://tollgate@127.0.0.1:${port}/postgres`,
    origin: 'local binary',
    process: child,
    stop: () => stopChild(child, folder, 'SIGINT'),
  };
}

function userIds(name: string): { uid: number; gid: number } {
  const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }).trim());
  return { uid: id('-u'), gid: id('-g') };
}

export function untilPrinted(child: ChildProcess, pattern: RegExp, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    const onData = (chunk: Buffer) => {
      output += chunk.toString();
      if (!pattern.test(output)) return;
      // Further output is read and discarded, because a server blocks when its pipes are full.
      for (const stream of [child.stdout, child.stderr]) stream?.off('data', onData).resume();
      resolve();
    };
    child.stdout?.on('data', onData);
    child.stderr?.on('data', onData);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code} before it was ready:\n${output}`)));
  });
}

export async function stopChild(
  child: ChildProcess,
  folder: string,
  signal: NodeJS.Signals = 'SIGTERM',
): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  }
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Returns the URL of a numbered database of a Redis. Most tests use database 0, so another database
 * does not contain the heartbeats of their instances.
 */
export function redisDatabase(url: string, number: number): string {
  const database = new URL(url);
  database.pathname = `/${number}`;
  return database.href;
}

/** Returns a name that no other test uses: for databases, users, tenants. */
export function uniqueName(prefix: string): string {
  return `${prefix}_${randomBytes(6).toString('hex')}`;
}

/** Writes `content` to a new temporary folder and returns the file's path. */
export function temporaryFile(name: string, content: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'tollgate-test-')), name);
  writeFileSync(path, content);
  return path;
}
