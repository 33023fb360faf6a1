// Runs the Redis tests on another server: `npm run test:valkey`, `npm run test:redis-6`. Uses the
// Valkey in PATH, if there is one. Otherwise, and for Redis 6, it downloads the packages of a
// Debian release and unpacks them into a cache folder, without installing them. Plain JavaScript
// without dependencies.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

const SERVERS = {
  valkey: {
    binary: 'valkey-server',
    isInPath: true,
    release: () => `${releaseOfMachine()}-backports`,
    packages: ['valkey-tools', 'valkey-server'],
    tests: ['test/limiter', 'test/server/doctor.test.ts', 'test/server/check-scripts.test.ts'],
  },
  // The Cluster tests are excluded, because they create their clusters with commands of Redis 7.
  'redis-6': {
    binary: 'redis-server',
    // The server in PATH has another version.
    isInPath: false,
    release: () => 'bullseye',
    packages: ['redis-tools', 'redis-server', 'libssl1.1', 'liblua5.1-0', 'lua-cjson', 'lua-bitop'],
    tests: [
      'test/server/check-scripts.test.ts',
      ...['semantics', 'settle', 'edits', 'reset', 'histories', 'redis/load-scripts', 'redis/scripts'].map(
        (name) => `test/limiter/${name}.test.ts`,
      ),
      ...['moving-shares', 'watched-limits'].map((name) => `test/limiter/regions/${name}.test.ts`),
    ],
  },
};

const [name, ...chosen] = process.argv.slice(2);
const server = SERVERS[name];
if (!server) {
  console.error(`expected one of ${Object.keys(SERVERS).join(', ')}, got ${name}`);
  process.exit(1);
}
const root = resolve('node_modules/.cache', name);
const folder = findFolder() ?? unpack();
const env = {
  ...process.env,
  PATH: `${folder}${delimiter}${process.env.PATH}`,
  TEST_REDIS_SERVER: server.binary,
  // Libraries of the Debian release of the server. Other programs of the machine do not load them.
  ...(!server.isInPath && { LD_LIBRARY_PATH: join(root, 'root/usr/lib/x86_64-linux-gnu') }),
};
console.log(run(join(folder, server.binary), ['--version'], { stdio: 'pipe', env }).stdout.toString().trim());
const tests = chosen.length > 0 ? chosen : server.tests;
process.exit(spawnSync('npx', ['vitest', 'run', ...tests], { stdio: 'inherit', env }).status ?? 1);

function findFolder() {
  if (!server.isInPath) return undefined;
  return (process.env.PATH ?? '').split(delimiter).find((one) => existsSync(join(one, server.binary)));
}

function releaseOfMachine() {
  return /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1];
}

/** Returns the folder with the binaries of the packages. Downloads them only once. */
function unpack() {
  const binaries = join(root, 'root/usr/bin');
  if (existsSync(join(binaries, server.binary))) return binaries;
  if (!releaseOfMachine() || !existsSync('/usr/bin/apt-get')) {
    console.error(`${server.binary} is not installed, and there is no apt-get: put it into PATH`);
    process.exit(1);
  }
  for (const one of ['lists/partial', 'archives/partial', 'root']) mkdirSync(join(root, one), { recursive: true });
  const sources = join(root, 'sources.list');
  const key = '/usr/share/keyrings/debian-archive-keyring.gpg';
  // The script uses the mirror from which the machine installs its own packages.
  const { stdout } = run('apt-get', ['indextargets', '--format', '$(REPO_URI)'], { stdio: 'pipe' });
  const uris = stdout.toString().split('\n');
  const mirror = uris.find((uri) => /debian\/?$/.test(uri)) ?? uris[0];
  writeFileSync(sources, `deb [signed-by=${key}] ${mirror} ${server.release()} main\n`);
  // apt-get uses separate package lists. So the machine's sources stay unchanged, and installed
  // packages do not affect the choice of versions.
  const apart = [
    `Dir::Etc::sourcelist=${sources}`,
    'Dir::Etc::sourceparts=-',
    `Dir::State::lists=${join(root, 'lists')}`,
    'Dir::State::status=/dev/null',
    `Dir::Cache=${root}`,
  ].flatMap((option) => ['-o', option]);
  run('apt-get', [...apart, '-qq', 'update']);
  run('apt-get', [...apart, '-qq', 'download', ...server.packages], { cwd: root });
  for (const file of readdirSync(root).filter((one) => one.endsWith('.deb')))
    run('dpkg-deb', ['-x', join(root, file), join(root, 'root')]);
  return binaries;
}

function run(command, args, options = {}) {
  const result = spawnSync(command, args, { stdio: 'inherit', ...options });
  if (result.status === 0) return result;
  console.error(`${command} ${args.join(' ')} failed`);
  process.exit(1);
}
