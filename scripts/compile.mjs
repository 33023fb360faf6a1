// Runs TypeScript's native compiler with the arguments given, which is five times as fast as the
// one before it. That one, `typescript`, stays for whoever needs it as a library: the import rules,
// what is generated from types, and tests.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript-native/package.json')), 'bin/tsc');
// Its threads check the shared types once for each: on two processors that takes twice the time of both.
const args = [compiler, '--singleThreaded', ...process.argv.slice(2)];
process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1;
