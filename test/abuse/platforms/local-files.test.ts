import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { copyEmbeddedDatabase } from '../../helpers/embedded-folder.js';
import { EMBEDDED_DATABASE } from '../../helpers/embedded-platform.js';
import { runToEnd, startPlatform } from '../../helpers/platform.js';
import { startRedisServer } from '../../helpers/servers.js';
import { until } from '../../helpers/until.js';
import { openServerDatabase } from '../../postgres/databases.js';
import { countCases } from '../serve.js';

/**
 * Returns the paths that users other than the owner may access, each with its mode. The folder
 * itself is one of the checked paths.
 */
function exposedIn(folder: string): string[] {
  const all = ['.', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })];
  const modeOf = (path: string) => lstatSync(join(folder, path)).mode;
  return all
    .filter((path) => (modeOf(path) & 0o077) !== 0)
    .map((path) => `${path} ${(modeOf(path) & 0o777).toString(8)}`);
}

it('A33: only the owner can read the data of an embedded platform, even if an earlier version wrote it', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-private-'));
  const data = join(folder, '.tollgate');
  await copyEmbeddedDatabase(join(folder, EMBEDDED_DATABASE));
  const outside = join(folder, 'outside');
  writeFileSync(outside, '');
  chmodSync(outside, 0o644);
  symlinkSync(outside, join(data, 'link'));
  for (const path of readdirSync(data, { recursive: true, encoding: 'utf8' })) {
    if (path !== 'link') chmodSync(join(data, path), lstatSync(join(data, path)).isDirectory() ? 0o755 : 0o666);
  }
  chmodSync(data, 0o755);
  const lineOf = (output: string) => output.split('\n').filter((line) => line.includes('Other users of this machine'));

  const first = await startPlatform({ folder });
  // The mode of a symbolic link has no effect.
  expect(exposedIn(data).filter((path) => !path.startsWith('link'))).toEqual([]);
  expect(lstatSync(outside).mode & 0o777).toBe(0o644);
  expect(await first.stop()).toBe(0);
  expect(lineOf(first.output())).toHaveLength(1);

  const second = await startPlatform({ folder });
  expect(exposedIn(data).filter((path) => !path.startsWith('link'))).toEqual([]);
  expect(await second.stop()).toBe(0);
  expect(lineOf(second.output())).toEqual([]);
  countCases(context, readdirSync(data, { recursive: true }).length);
  rmSync(folder, { recursive: true });
});

it('A33: the access modes of a configured data folder and of unrelated files in it do not change', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-shared-'));
  const data = join(folder, 'app');
  mkdirSync(join(data, 'bin'), { recursive: true });
  const theirs = { bin: 0o755, 'bin/run.sh': 0o755, readme: 0o644, '.': 0o755 };
  for (const [path, mode] of Object.entries(theirs)) {
    if (path === 'readme' || path.includes('/')) writeFileSync(join(data, path), '');
    chmodSync(join(data, path), mode);
  }
  const platform = await startPlatform({ folder, env: { TOLLGATE_DATA_DIR: data } });
  for (const [path, mode] of Object.entries(theirs)) {
    expect(lstatSync(join(data, path)).mode & 0o777, path).toBe(mode);
  }
  expect(exposedIn(join(data, 'postgres'))).toEqual([]);
  expect(await platform.stop()).toBe(0);
  const { output } = await runToEnd(['doctor', '--data-dir', data]);
  expect(output).toMatch(/warning +data directory +.* also contains (bin|readme)/);
  countCases(context, Object.keys(theirs).length);
  rmSync(folder, { recursive: true });
});

it('A33: only the owner can read a new data folder and the snapshot of the rules', async () => {
  const embedded = await startPlatform();
  expect(exposedIn(join(embedded.folder, '.tollgate'))).toEqual([]);
  expect(await embedded.stop()).toBe(0);

  const redis = await startRedisServer();
  const database = await openServerDatabase();
  const served = await startPlatform({ env: { REDIS_URL: redis.url, DATABASE_URL: database.url } });
  const data = join(served.folder, '.tollgate');
  await until('the snapshot exists', () => readdirSync(data).includes('ruleset.json'));
  expect(exposedIn(data)).toEqual([]);
  expect(await served.stop()).toBe(0);
  await database.dispose();
  await redis.stop();
});
