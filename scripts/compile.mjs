// Runs TypeScript's native compiler with the given arguments. It is five times as fast as the
// JavaScript compiler. The package `typescript` stays for the users of its API: the import rules,
// the generators that read types, and tests.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript-native/package.json')), 'bin/tsc');
// Single thread, because otherwise each thread checks the shared types again: on two processors
// that takes twice the time.
const args = [compiler, '--singleThreaded', ...process.argv.slice(2)];
process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1;
