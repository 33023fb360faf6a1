// Runs before `npm test`. It installs missing programs that tests start, with the system's package
// manager. It prints each step. Docker and the URLs in TEST_REDIS_URL and
// TEST_DATABASE_URL do not replace these programs: many tests start, stop and kill servers of their
// own. It is plain JavaScript without dependencies, because it also runs before anything is built.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const MANAGERS = [
  {
    name: 'apt-get',
    redis: 'redis-server',
    postgres: 'postgresql',
    pgbouncer: 'pgbouncer',
    promtool: 'prometheus',
    python: 'python3',
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
    pgbouncer: 'pgbouncer',
    promtool: 'prometheus',
    python: 'python3',
    chromium: 'chromium',
    commands: (packages) => [['apk', 'add', ...packages]],
  },
  {
    name: 'dnf',
    redis: 'redis',
    postgres: 'postgresql-server',
    pgbouncer: 'pgbouncer',
    promtool: 'golang-github-prometheus',
    python: 'python3',
    chromium: 'chromium',
    commands: (packages) => [['dnf', 'install', '-y', ...packages]],
  },
  {
    name: 'brew',
    redis: 'redis',
    postgres: 'postgresql@16',
    pgbouncer: 'pgbouncer',
    promtool: 'prometheus',
    python: 'python3',
    chromium: 'chromium',
    commands: (packages) => [['brew', 'install', ...packages]],
  },
];

const BINARIES = {
  redis: 'redis-server',
  postgres: 'initdb',
  pgbouncer: 'pgbouncer',
  promtool: 'promtool',
  python: 'python3',
};
/** Names of the Chromium binary in the packages of the different distributions. */
const CHROMIUMS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Folders of programs that are not in every user's PATH. */
const DAEMONS = ['/usr/sbin'];

const PACKAGES = new URL('../node_modules/vitest', import.meta.url);
if (!existsSync(PACKAGES)) {
  console.error('The packages that tests need are not installed: npm ci');
  process.exit(1);
}

const missing = Object.keys(BINARIES).filter((name) => !isThere(name));
if (!process.env.TEST_CHROMIUM && !isThere('chromium')) missing.push('chromium');
if (missing.length > 0) install(missing);
else console.log('All programs that the tests start are installed.');

function isThere(name) {
  return name === 'chromium' ? CHROMIUMS.some(find) : find(BINARIES[name]);
}

function find(binary) {
  const debian = '/usr/lib/postgresql';
  const brew = ['/opt/homebrew/opt/postgresql@16/bin', '/usr/local/opt/postgresql@16/bin'];
  const versions = existsSync(debian) ? readdirSync(debian).map((version) => join(debian, version, 'bin')) : [];
  const path = (process.env.PATH ?? '').split(delimiter);
  return [...path, ...DAEMONS, ...versions, ...brew].some((dir) => existsSync(join(dir, binary)));
}

function install(what) {
  const manager = MANAGERS.find(({ name }) => find(name));
  if (!manager) {
    fail(`The tests need ${what.join(' and ')}, but neither these programs nor a supported package manager was found.`);
  }
  const packages = what.map((name) => manager[name]);
  console.log(`The tests need ${what.join(' and ')}: installing ${packages.join(' ')} with ${manager.name} ...`);
  const root = process.getuid?.() === 0 || manager.name === 'brew';
  for (const command of manager.commands(packages)) {
    const [program, ...args] = root ? command : ['sudo', '-n', ...command];
    // The packages must not start their own servers: the tests start servers on free ports.
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
    const { status } = spawnSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'], env });
    if (status !== 0) fail(`"${[program, ...args].join(' ')}" failed.`);
  }
  const still = what.filter((name) => !isThere(name));
  if (still.length > 0) fail(`${manager.name} installed its packages, but ${still.join(' and ')} cannot be found.`);
}

function fail(reason) {
  console.error(`${reason}
Install redis-server, PostgreSQL, PgBouncer, Chromium, Prometheus (for promtool) and Python 3 by hand. TEST_CHROMIUM may name another Chromium.`);
  process.exit(1);
}
