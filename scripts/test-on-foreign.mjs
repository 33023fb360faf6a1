// Runs the tests of Tollgate with servers of other projects: `npm run test:foreign`, or `npm run
// test:foreign -- upstreams`. Each folder of test/foreign has its own packages, which are installed
// only there. Plain JavaScript without dependencies.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = 'test/foreign';
const chosen = process.argv.slice(2);
/** Folders with commands of their own: `npm run test:graphql17` and `npm run test:chart`. */
const APART = ['graphql-17', 'kubernetes'];
const folders = readdirSync(FOLDER).filter(
  (name) => !APART.includes(name) && existsSync(join(FOLDER, name, 'package.json')),
);
for (const name of folders) {
  const args = [
    'install',
    '--no-package-lock',
    '--ignore-scripts',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--silent',
  ];
  const { status } = spawnSync('npm', args, { cwd: join(FOLDER, name), stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
const tests = chosen.map((name) => `${FOLDER}/${name}`);
const args = ['vitest', 'run', '--config', 'vitest.foreign.config.ts', '--project', '!kubernetes', ...tests];
process.exit(spawnSync('npx', args, { stdio: 'inherit' }).status ?? 1);
