import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const SCRIPT = fileURLToPath(new URL('../../scripts/ensure-test-servers.mjs', import.meta.url));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-path-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function program(name: string, script = ''): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
}

/**
 * Runs the script with a PATH that contains only `folder`. The script also searches Debian's
 * folders for programs.
 */
function ensure(env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT], {
    encoding: 'utf8',
    env: { PATH: folder, ...env },
  });
  return { status, output: stdout + stderr };
}

/** Creates a package manager that installs the requested packages. */
function offerPackages(): void {
  const programs = 'redis-server initdb postgres pgbouncer promtool python3 chromium';
  program(
    'apt-get',
    `echo "$@" >> ${folder}/asked\ncase "$1" in install) for p in ${programs}; do : > ${folder}/$p; done;; esac`,
  );
  program('sudo', '[ "$1" = -n ] && shift; exec "$@"');
}

describe('preparation of the tests', () => {
  it('the preparation installs a missing redis-server even if Docker is available, and prints that', () => {
    program('docker');
    offerPackages();
    const { status, output } = ensure({ TEST_REDIS_URL: 'redis://127.0.0.1:6379' });
    expect(output).toMatch(/^The tests need redis.*: installing redis-server .*with apt-get \.\.\./);
    expect(status).toBe(0);
    expect(readFileSync(join(folder, 'asked'), 'utf8')).toMatch(/^install .*\bredis-server\b/m);
  });

  it('the preparation installs nothing when all programs are present', () => {
    for (const name of ['redis-server', 'initdb', 'postgres', 'pgbouncer', 'promtool', 'python3', 'chromium'])
      program(name);
    expect(ensure()).toEqual({ status: 0, output: 'All programs that the tests start are installed.\n' });
  });

  it('the preparation fails and names the missing programs when no package manager is found', () => {
    mkdirSync(join(folder, 'empty'));
    const { status, output } = ensure({ PATH: join(folder, 'empty') });
    expect(status).toBe(1);
    expect(output).toMatch(/The tests need redis.*but neither these programs nor a supported package manager/);
  });
});
