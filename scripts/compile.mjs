// Runs TypeScript's native compiler with the given arguments. It is five times as fast as the
// JavaScript compiler. The package `typescript` is still needed for its API, which the import
// rules, the generators that read types, and tests use.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript-native/package.json')), 'bin/tsc');
// The compiler uses a single thread. With several threads, each thread checks the shared types
// again, which takes twice the time on two processors.
const args = [compiler, '--singleThreaded', ...process.argv.slice(2)];
process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1;
