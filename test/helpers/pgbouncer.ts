import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBinary, freePort, stopChild, untilPrinted } from './servers.js';

export interface PgBouncer {
  /** Returns the URL of a database through the pooler. */
  urlOf(databaseUrl: string): string;
  stop(): Promise<void>;
}

/**
 * Starts PgBouncer in front of the database of a URL.
 * @param settings lines of its `[pgbouncer]` section
 */
export async function startPgBouncer(databaseUrl: string, settings: readonly string[]): Promise<PgBouncer> {
  const binary = findBinary('pgbouncer');
  if (!binary) throw new Error('pgbouncer is not installed: run `npm test`, which installs it');
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const own = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-pgbouncer-'));
  const users = join(folder, 'users.txt');
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(users, `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`);
  writeFileSync(
    file,
    [
      '[databases]',
      `${pathname.slice(1)} = host=${hostname} port=${port || 5432}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${own}`,
      'unix_socket_dir =',
      'auth_type = trust',
      `auth_file = ${users}`,
      ...settings,
      '',
    ].join('\n'),
  );
  // PgBouncer does not run as root, so it runs as the user `postgres`.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) execFileSync('chown', ['-R', 'postgres', folder]);
  const child: ChildProcess = spawn(binary, [...(isRoot ? ['-u', 'postgres'] : []), file], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await untilPrinted(child, /process up/, 'pgbouncer');
  return {
    urlOf(databaseUrl) {
      const url = new URL(databaseUrl);
      url.hostname = '127.0.0.1';
      url.port = String(own);
      return url.href;
    },
    async stop() {
      await stopChild(child, folder, 'SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
