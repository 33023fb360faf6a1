import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileProgram } from '../helpers/compile-program.js';

// The package as published, installed into an empty folder without any of its peers.

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CLIENT = join(ROOT, 'packages/client');
let folder: string;
let tarball: string;
let cwd: string;

function run(where: string, command: string, ...args: string[]): string {
  return execFileSync(command, args, { cwd: where, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-client-'));
  run(ROOT, process.execPath, 'node_modules/typescript/bin/tsc', '-p', 'packages/client');
  tarball = join(
    folder,
    run(CLIENT, 'npm', 'pack', '--silent', '--ignore-scripts', '--pack-destination', folder).trim(),
  );
  cwd = join(folder, 'consumer');
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'package.json'), '{ "name": "consumer", "private": true, "type": "module" }');
  run(cwd, 'npm', 'install', '--legacy-peer-deps', '--no-audit', '--no-fund', '--silent', tarball);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('tollgate-client as published', () => {
  it('the published client paces a fetch without any other package installed', () => {
    const program = `import { createPacedFetch } from 'tollgate-client';
      const cost = { requestedQueryCost: 3, actualQueryCost: 3, throttleStatus: { maximumAvailable: 9, currentlyAvailable: 6, restoreRate: 1 } };
      const send = createPacedFetch(async () => Response.json({ data: {}, extensions: { cost } }));
      await send('https://example.test/graphql', { method: 'POST', body: '{ "query": "{ a }" }' });
      console.log(send.pacer.quota().available);`;
    expect(run(cwd, process.execPath, '--input-type=module', '-e', program).trim()).toBe('6');
  });

  it('publint and "are the types wrong" accept the published client', () => {
    run(ROOT, process.execPath, 'node_modules/publint/src/cli.js', 'run', tarball, '--strict');
    run(
      ROOT,
      process.execPath,
      'node_modules/@arethetypeswrong/cli/dist/index.js',
      tarball,
      '--profile',
      'esm-only',
      '--format',
      'json',
    );
  });

  it('the types of the published client compile in a strict program without its peers', () => {
    compileProgram(
      cwd,
      `import { createPacedFetch, createPacer, type Quota } from 'tollgate-client';
       const pacer = createPacer({ maxQueue: 10 });
       export const send = createPacedFetch(fetch, { pacer, priorityOf: ({ operationName }) => (operationName === 'A' ? 1 : 0) });
       export const quota: Quota | undefined = pacer.quota();
       // @ts-expect-error: an unknown option
       createPacer({ maxWait: 10 });`,
      { strict: true, target: 'es2022', lib: ['es2022', 'dom'], types: [] },
    );
  });

  it.each([
    ['the core', 'tollgate-client', 6],
    ['the reader of manifests', 'tollgate-client/manifest', 2.5],
  ])('%s can be bundled for a browser without Node.js and stays below its size limit', async (_, entryPoint, kilobytes) => {
    const { outputFiles } = await build({
      stdin: { contents: `export * from '${entryPoint}'`, resolveDir: cwd },
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'browser',
      write: false,
    });
    expect(gzipSync(outputFiles[0]!.contents).length).toBeLessThan(kilobytes * 1024);
  });
});
