// Runs the tests of what talks to Redis on Valkey: `npm run test:valkey`. It is Valkey of PATH, else that of Debian's backports,
// which is unpacked beside the other caches and installed nowhere. Plain JavaScript without dependencies.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

const SERVER = 'valkey-server';
const TESTS = ['test/limiter', 'test/server/doctor.test.ts', 'test/server/check-scripts.test.ts'];

const folder = findFolder() ?? unpack();
const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}`, TEST_REDIS_SERVER: SERVER };
console.log(run(join(folder, SERVER), ['--version'], { stdio: 'pipe' }).stdout.toString().trim());
const tests = process.argv.length > 2 ? process.argv.slice(2) : TESTS;
process.exit(spawnSync('npx', ['vitest', 'run', ...tests], { stdio: 'inherit', env }).status ?? 1);

function findFolder() {
  return (process.env.PATH ?? '').split(delimiter).find((one) => existsSync(join(one, SERVER)));
}

/** The folder with the binaries of the package, which is fetched once. */
function unpack() {
  const cache = resolve('node_modules/.cache/valkey');
  const binaries = join(cache, 'root/usr/bin');
  if (existsSync(join(binaries, SERVER))) return binaries;
  const release = /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1];
  if (!release || !existsSync('/usr/bin/apt-get')) {
    console.error(`${SERVER} is not installed, and there is no apt-get: put it into PATH`);
    process.exit(1);
  }
  for (const one of ['lists/partial', 'archives/partial', 'root']) mkdirSync(join(cache, one), { recursive: true });
  const sources = join(cache, 'sources.list');
  const key = '/usr/share/keyrings/debian-archive-keyring.gpg';
  // From where the machine's own packages come.
  const { stdout } = run('apt-get', ['indextargets', '--format', '$(REPO_URI)'], { stdio: 'pipe' });
  const uris = stdout.toString().split('\n');
  const mirror = uris.find((uri) => /debian\/?$/.test(uri)) ?? uris[0];
  writeFileSync(sources, `deb [signed-by=${key}] ${mirror} ${release}-backports main\n`);
  // Its own lists: the machine's own sources stay as they are.
  const apart = [
    `Dir::Etc::sourcelist=${sources}`,
    'Dir::Etc::sourceparts=-',
    `Dir::State::lists=${join(cache, 'lists')}`,
    `Dir::Cache=${cache}`,
  ].flatMap((option) => ['-o', option]);
  run('apt-get', [...apart, '-qq', 'update']);
  run('apt-get', [...apart, '-qq', 'download', 'valkey-tools', 'valkey-server'], { cwd: cache });
  for (const file of readdirSync(cache).filter((name) => name.endsWith('.deb')))
    run('dpkg-deb', ['-x', join(cache, file), join(cache, 'root')]);
  return binaries;
}

function run(command, args, options = {}) {
  const result = spawnSync(command, args, { stdio: 'inherit', ...options });
  if (result.status === 0) return result;
  console.error(`${command} ${args.join(' ')} failed`);
  process.exit(1);
}
