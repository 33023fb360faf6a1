// Runs before `npm test`: makes sure that the tests can have a real Redis, a real PostgreSQL and a real browser, and Prometheus'
// promtool for the alerts, and says what it does.
// In order: the URLs in TEST_REDIS_URL and TEST_DATABASE_URL, containers where Docker answers, binaries that are there,
// else the system's package manager. Plain JavaScript without dependencies: it also runs where nothing is built yet.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const MANAGERS = [
  {
    name: 'apt-get',
    redis: 'redis-server',
    postgres: 'postgresql',
    promtool: 'prometheus',
    chromium: 'chromium',
    commands: (packages) => [
      ['apt-get', 'update', '-qq'],
      ['apt-get', 'install', '-y', '-qq', '--no-install-recommends', ...packages],
    ],
  },
  {
    name: 'apk',
    redis: 'redis',
    postgres: 'postgresql',
    promtool: 'prometheus',
    chromium: 'chromium',
    commands: (packages) => [['apk', 'add', ...packages]],
  },
  {
    name: 'dnf',
    redis: 'redis',
    postgres: 'postgresql-server',
    promtool: 'golang-github-prometheus',
    chromium: 'chromium',
    commands: (packages) => [['dnf', 'install', '-y', ...packages]],
  },
  {
    name: 'brew',
    redis: 'redis',
    postgres: 'postgresql@16',
    promtool: 'prometheus',
    chromium: 'chromium',
    commands: (packages) => [['brew', 'install', ...packages]],
  },
];

const BINARIES = { redis: 'redis-server', postgres: 'initdb', promtool: 'promtool' };
/** What Chromium is called, by who has packed it. */
const CHROMIUMS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const PACKAGES = new URL('../node_modules/vitest', import.meta.url);
if (!existsSync(PACKAGES)) {
  console.error('The packages that tests need are not installed: npm ci');
  process.exit(1);
}

const missing = [];
if (!process.env.TEST_REDIS_URL && !find('redis-server')) missing.push('redis');
if (!process.env.TEST_DATABASE_URL && !(find('postgres') && find('initdb'))) missing.push('postgres');

if (missing.length > 0 && dockerAnswers()) missing.length = 0;
// No server: it checks files, and comes from no container.
if (!find('promtool')) missing.push('promtool');
if (!process.env.TEST_CHROMIUM && !CHROMIUMS.some(find)) missing.push('chromium');
if (missing.length > 0) install(missing);

function find(binary) {
  const debian = '/usr/lib/postgresql';
  const brew = ['/opt/homebrew/opt/postgresql@16/bin', '/usr/local/opt/postgresql@16/bin'];
  const versions = existsSync(debian) ? readdirSync(debian).map((version) => join(debian, version, 'bin')) : [];
  return [...(process.env.PATH ?? '').split(delimiter), ...versions, ...brew].some((dir) =>
    existsSync(join(dir, binary)),
  );
}

function dockerAnswers() {
  return find('docker') && spawnSync('docker', ['info'], { stdio: 'ignore', timeout: 10_000 }).status === 0;
}

function install(what) {
  const manager = MANAGERS.find(({ name }) => find(name));
  if (!manager) {
    fail(
      `The tests need ${what.join(' and ')}, and neither they, nor Docker, nor a package manager known here was found.`,
    );
  }
  const packages = what.map((name) => manager[name]);
  console.log(`The tests need ${what.join(' and ')}: installing ${packages.join(' ')} with ${manager.name} ...`);
  const root = process.getuid?.() === 0 || manager.name === 'brew';
  for (const command of manager.commands(packages)) {
    const [program, ...args] = root ? command : ['sudo', '-n', ...command];
    // Packages must not start servers of their own: the tests start theirs, on free ports.
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
    const { status } = spawnSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'], env });
    if (status !== 0) fail(`"${[program, ...args].join(' ')}" failed.`);
  }
  const still = what.filter((name) => !(name === 'chromium' ? CHROMIUMS.some(find) : find(BINARIES[name])));
  if (still.length > 0) fail(`${manager.name} installed its packages, but ${still.join(' and ')} cannot be found.`);
}

function fail(reason) {
  console.error(`${reason}
Install redis-server, PostgreSQL, Chromium and Prometheus (for promtool) by hand; the first two may come from Docker instead, or from
TEST_REDIS_URL and TEST_DATABASE_URL, and TEST_CHROMIUM may name another Chromium.`);
  process.exit(1);
}
