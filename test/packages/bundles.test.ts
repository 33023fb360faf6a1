import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { layOutTollgate } from '../../scripts/pack-packages.mjs';
import { uniqueName } from '../helpers/servers.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/**
 * Packages of a project with Redis and PostgreSQL, in addition to `tollgate`. The optional packages
 * jose, prom-client, yaml and OpenTelemetry are missing.
 */
const INSTALLED = [
  '@electric-sql',
  'dataloader',
  'graphql',
  'ioredis',
  'ipaddr.js',
  'lru-cache',
  'pg',
  'proxy-addr',
  'zod',
];
const OPTIONAL = ['@opentelemetry/api', 'jose', 'prom-client', 'yaml'];

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-bundles-'));
  const tollgate = join(folder, 'project/node_modules/tollgate');
  mkdirSync(tollgate, { recursive: true });
  await layOutTollgate(tollgate);
  rmSync(join(tollgate, 'dist/console'), { recursive: true, force: true });
  for (const name of INSTALLED) symlinkSync(join(ROOT, 'node_modules', name), join(dirname(tollgate), name));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns an import specifier for a published module that no entry point exports. */
const moduleOf = (name: string) => JSON.stringify(join(ROOT, 'dist', `${name}.js`));

/**
 * Bundles a program with all its modules into one file. Runs the file in a folder without packages
 * and returns its output.
 */
async function runBundled(program: string, { format, env = {} }: { format: 'esm' | 'cjs'; env?: object }) {
  const name = uniqueName('bundle');
  const entry = join(folder, 'project', `${name}.mjs`);
  writeFileSync(entry, program);
  const outfile = join(folder, `${name}.${format === 'esm' ? 'mjs' : 'cjs'}`);
  const { warnings } = await build({
    entryPoints: [entry],
    bundle: true,
    platform: 'node',
    format,
    outfile,
    logLevel: 'silent',
    // esbuild also warns of `import.meta` in modules outside of packages.
    logOverride: { 'empty-import-meta': 'silent' },
    // CommonJS packages call `require`, which an ECMAScript module does not have.
    ...(format === 'esm' && {
      banner: {
        js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
      },
    }),
  });
  expect(warnings.map(({ text }) => text)).toEqual([]);
  const options = { cwd: folder, encoding: 'utf8', env: { ...process.env, ...env } } as const;
  return execFileSync(process.execPath, [outfile], options).trim();
}

describe('bundles of a project with few optional packages', () => {
  const formats = ['esm', 'cjs'] as const;

  it('the project of these bundles has none of the optional packages', () => {
    expect(INSTALLED.filter((name) => OPTIONAL.includes(name))).toEqual([]);
  });

  it.each(formats)('a bundled limiter counts in Redis with the scripts from the bundle (%s)', async (format) => {
    const program = `import { createLimiter } from 'tollgate/limiter';
      const limiter = createLimiter({ redis: process.env.REDIS });
      const limit = { id: 'a', scope: 'USER', algorithm: 'TOKEN_BUCKET', capacity: 10, refillAmount: 1, refillPeriodMs: 1e6, cost: 4 };
      limiter.charge({ subject: { user: process.env.WHO }, limits: [limit] }).then(async ({ admitted, limits, degraded }) => {
        console.log(admitted, limits[0].remaining, degraded);
        await limiter.close();
      });`;
    const env = { REDIS: inject('redisUrl'), WHO: uniqueName('bundled') };
    expect(await runBundled(program, { format, env })).toBe('true 6 false');
  });

  it.each(formats)('a bundled Tollgate starts and names a missing optional package (%s)', async (format) => {
    const program = `import { buildSchema, parse } from 'graphql';
      import { createTollgate } from 'tollgate';
      import { createCostAnalyzer } from 'tollgate/cost';
      const schema = buildSchema('type Query { a: Int }');
      const logger = { info() {}, warn() {}, error() {} };
      async function main() {
        const tollgate = await createTollgate({ schema, identify: () => ({ user: 'ann' }), logger });
        await tollgate.close();
        console.log(createCostAnalyzer(schema).compile(parse('{ a }')).estimate({}).cost);
        const jwt = { jwksUrl: 'https://x.test/keys', issuer: 'a', audience: 'b', algorithms: ['RS256'] };
        await createTollgate({ schema, identity: { jwt }, logger }).catch((error) => console.log(error.message));
        await createTollgate({ schema, metrics: { registerMetric() {}, getSingleMetric() {}, metrics() {} }, logger }).catch((error) => console.log(error.message));
      }
      main();`;
    expect((await runBundled(program, { format })).split('\n')).toEqual([
      '1',
      'identity.jwt needs the package jose, which is not installed: npm install jose',
      'metrics needs the package prom-client, which is not installed: npm install prom-client',
    ]);
  });

  it('a bundled embedded database explains why it cannot start', async () => {
    const program = `import { createPgliteDb } from ${moduleOf('postgres/create-pglite-db')};
      process.on('unhandledRejection', () => {}); // PGlite also rejects a second promise without a handler.
      await createPgliteDb({ folder: process.env.DATA }).catch((error) => console.log(error.message));`;
    expect(await runBundled(program, { format: 'esm', env: { DATA: join(folder, 'data') } })).toMatch(
      /^The embedded database cannot be started: ENOENT: .* exclude it from the bundle \("external"\), or set DATABASE_URL\.$/,
    );
  });

  it.each(formats)('a bundle has no console and does not serve files next to it as one (%s)', async (format) => {
    mkdirSync(join(folder, 'console'), { recursive: true });
    for (const name of ['index.html', 'api.html']) writeFileSync(join(folder, 'console', name), 'of the project');
    const program = `import { readApiPage, readConsoleFiles } from ${moduleOf('admin/console/read-console-files')};
      console.log(readApiPage(), readConsoleFiles().page('/console', '/admin'));`;
    expect(await runBundled(program, { format })).toBe('undefined undefined');
  });

  it('a bundle contains the migrations', async () => {
    const program = `import { readMigrationFiles } from ${moduleOf('postgres/migrate')};
      console.log(readMigrationFiles().length > 16, readMigrationFiles()[0].sql.length > 1000);`;
    expect(await runBundled(program, { format: 'cjs' })).toBe('true true');
  });
});

describe('bundles with tollgate-client', () => {
  const sources = join(ROOT, 'packages/client/src');

  it.each([
    'index',
    'manifest',
    'apollo',
    'urql',
    'react',
  ])('the entry point %s of tollgate-client can be bundled for browsers', async (entryPoint) => {
    const entryPoints = [join(sources, `${entryPoint}.ts`)];
    const { warnings, metafile } = await build({
      entryPoints,
      bundle: true,
      platform: 'browser',
      format: 'esm',
      write: false,
      metafile: true,
      logLevel: 'silent',
    });
    expect(warnings).toEqual([]);
    // The bundle has no external imports.
    expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports)).toEqual([]);
  });

  it('a bundle with tollgate-client runs in a folder without packages', async () => {
    const program = `import { createPacer } from ${JSON.stringify(join(sources, 'index.ts'))};
      console.log(typeof createPacer({}));`;
    expect(await runBundled(program, { format: 'cjs' })).toBe('object');
  });
});
