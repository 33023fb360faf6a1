import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll } from 'vitest';
import { describeServer } from '../decisions/servers/describe-server.js';
import { CLIENTS, startProgram } from '../decisions/servers/start-server.js';
import { findBinary } from '../helpers/servers.js';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-go-'));
const server = join(folder, 'server');

beforeAll(() => {
  const go = findBinary('go');
  if (!go) throw new Error('Go is not installed: install Go 1.19 or later, such as the Debian package golang-go');
  mkdirSync(join(folder, 'tollgate'));
  writeFileSync(join(folder, 'go.mod'), 'module tollgate.test/server\n\ngo 1.19\n');
  copyFileSync(join(CLIENTS, 'decide.go'), join(folder, 'tollgate/decide.go'));
  copyFileSync(new URL('go-server/main.go', import.meta.url), join(folder, 'main.go'));
  for (const args of [
    ['vet', './...'],
    ['build', '-o', server],
  ])
    execFileSync(go, args, { cwd: folder, stdio: 'inherit' });
});

describeServer('the middleware for Go, a server that asks for decisions', ({ tollgate, executor }) =>
  startProgram(server, [], { TOLLGATE: tollgate, EXECUTOR: executor, TOLLGATE_TOKEN: 'any' }),
);
