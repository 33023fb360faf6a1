import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packTollgate } from '../../scripts/pack-packages.mjs';
import { compileProgram } from '../helpers/compile-program.js';

// These tests install the published package with npm into empty folders, where modules of this
// checkout cannot be found.

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const versions: Record<string, string> = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).devDependencies;

let folder: string;
let tarball: string;
/** Folder with the package and graphql, and without its other optional packages. */
let withGraphqlAlone: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-entry-points-'));
  tarball = await packTollgate(folder);
  withGraphqlAlone = install('graphql-alone', 'graphql');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Creates a folder with the package and only those of its optional packages that are named. */
function install(name: string, ...packages: string[]): string {
  const cwd = join(folder, name);
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'package.json'), '{ "name": "consumer", "private": true, "type": "module" }');
  // The flag --legacy-peer-deps prevents the installation of peer dependencies. Otherwise npm would
  // always install graphql, a peer of all entry points except one.
  const flags = ['--legacy-peer-deps', '--prefer-offline', '--no-audit', '--no-fund', '--silent'];
  run(cwd, 'npm', 'install', ...flags, tarball, ...packages.map((one) => `${one}@${versions[one]}`));
  return cwd;
}

function run(cwd: string, command: string, ...args: string[]): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

const runModule = (cwd: string, text: string) => run(cwd, process.execPath, '--input-type=module', '-e', text).trim();
const runScript = (cwd: string, text: string) => run(cwd, process.execPath, '--input-type=commonjs', '-e', text).trim();

/** Returns all installed packages, from npm's own list. */
function installed(cwd: string): string[] {
  return Object.keys(JSON.parse(readFileSync(join(cwd, 'node_modules/.package-lock.json'), 'utf8')).packages)
    .map((path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))
    .sort();
}

/**
 * Compiles a program that uses the entry point. The check includes the declarations of the package,
 * which must not name a package that is not installed.
 */
function compile(cwd: string, program: string, { lib = ['es2023'], skipLibCheck = false } = {}): void {
  // TypeScript's own declarations are not tested.
  const checked = { strict: true, skipLibCheck, skipDefaultLibCheck: true };
  compileProgram(cwd, program, { ...checked, target: 'es2022', lib, types: [] });
}

/** Dependencies of `tollgate-platform` that only its sample API uses. */
const OF_THE_SAMPLE_API = ['@graphql-tools/schema', 'dataloader', 'world-countries'];

describe('tollgate/limiter', () => {
  const use = `const limiter = createLimiter();
    const limit = { id: 'a', scope: 'USER', algorithm: 'TOKEN_BUCKET', capacity: 10, refillAmount: 1, refillPeriodMs: 1000, cost: 4 };
    limiter.charge({ subject: { user: 'ann' }, limits: [limit] }).then((d) => console.log(d.admitted, d.limits[0].remaining));`;
  let cwd: string;
  beforeAll(() => {
    cwd = install('limiter');
  });

  it('tollgate/limiter installs no GraphQL, no Redis client and no server', () => {
    expect(new Set(installed(cwd))).toEqual(
      new Set(['dataloader', 'forwarded', 'ipaddr.js', 'lru-cache', 'proxy-addr', 'tollgate', 'zod']),
    );
  });

  it('tollgate/limiter charges in memory with `import` and with `require`', () => {
    expect(runModule(cwd, `import { createLimiter } from 'tollgate/limiter'; ${use}`)).toBe('true 6');
    expect(runScript(cwd, `const { createLimiter } = require('tollgate/limiter'); ${use}`)).toBe('true 6');
  });

  it('tollgate/limiter names the missing package for a Redis URL, and the limiter can still be closed', () => {
    const program = `import { createLimiter } from 'tollgate/limiter';
      const limiter = createLimiter({ redis: 'redis://127.0.0.1:1' });
      const limits = [{ id: 'a', scope: 'USER', algorithm: 'TOKEN_BUCKET', capacity: 10, refillAmount: 1, refillPeriodMs: 1000, cost: 4 }];
      const charged = limiter.charge({ subject: { user: 'ann' }, limits });
      console.log(await charged.then(() => 'charged', (error) => error.message));
      console.log(await limiter.close().then(() => 'closed', (error) => error.message)); process.exit(0);`;
    expect(runModule(cwd, program)).toBe(
      'redis needs the package ioredis, which is not installed: npm install ioredis\nclosed',
    );
  });

  it('the types of tollgate/limiter compile in a strict program', () => {
    compile(
      cwd,
      `import { createLimiter, type Decision } from 'tollgate/limiter';
       const limiter = createLimiter({ deadlineMs: 10 });
       export const charged: Promise<Decision> = limiter.charge({ subject: { user: 'ann' }, limits: [] });
       // @ts-expect-error: an unknown algorithm
       limiter.charge({ subject: {}, limits: [{ id: 'a', scope: 'USER', algorithm: 'NONE', cost: 1 }] });`,
    );
  });
});

describe('tollgate/cost', () => {
  const use = `const schema = buildSchema('type Query { a: Item } type Item { b: Int }');
    const plan = createCostAnalyzer(schema).compile(parse('{ a { b } }'));
    console.log(plan.estimate({}).cost);`;
  let cwd: string;
  beforeAll(() => {
    cwd = withGraphqlAlone;
  });

  it('tollgate/cost prices operations with graphql as its only package, with `import` and with `require`', () => {
    const esm = `import { buildSchema, parse } from 'graphql'; import { createCostAnalyzer } from 'tollgate/cost'; ${use}`;
    expect(runModule(cwd, esm)).toBe('1');
    const cjs = `const { buildSchema, parse } = require('graphql'); const { createCostAnalyzer } = require('tollgate/cost'); ${use}`;
    expect(runScript(cwd, cjs)).toBe('1');
  });

  it('the types of tollgate/cost compile in a strict program', () => {
    compile(
      cwd,
      `import { buildSchema, parse } from 'graphql';
       import { createCostAnalyzer, type CostEstimate } from 'tollgate/cost';
       const plan = createCostAnalyzer(buildSchema('type Query { a: Int }')).compile(parse('{ a }'));
       export const estimate: CostEstimate = plan.estimate({});
       // @ts-expect-error: an unknown profile
       createCostAnalyzer(buildSchema('type Query { a: Int }'), { profile: 1 });`,
    );
  });
});

describe('tollgate/testing, tollgate/nest and tollgate/graphql-http', () => {
  it('a test of limits needs graphql as its only package', () => {
    const program = `import { buildSchema } from 'graphql';
      import { createTestTollgate, expectAdmitted, expectDenied } from 'tollgate/testing';
      const limits = [{ algorithm: 'FIXED_WINDOW', amount: 1, windowMs: 60_000 }];
      const rules = [{ name: 'calls', scope: 'USER', field: 'Query.a', measure: 'CALLS', limits }];
      const tollgate = await createTestTollgate({ schema: buildSchema('type Query { a: Int }'), rules });
      const send = () => tollgate.send({ caller: { user: 'ann' }, query: '{ a }' });
      expectAdmitted(await send());
      expectDenied(await send(), { by: 'calls', retryAfterMs: 60_000 });
      tollgate.advance(60_000);
      expectAdmitted(await send());
      console.log('passed');`;
    expect(runModule(withGraphqlAlone, program)).toBe('passed');
  });

  it('the types of these entry points compile in a strict program', () => {
    compile(
      withGraphqlAlone,
      `import { buildSchema } from 'graphql';
       import { protectHandler } from 'tollgate/graphql-http';
       import { protectNest } from 'tollgate/nest';
       import { createTestTollgate, type TestResult } from 'tollgate/testing';
       const schema = buildSchema('type Query { a: Int }');
       export const options = protectNest({ autoSchemaFile: true }, { mode: 'SHADOW' }).autoSchemaFile;
       export const handler = (tollgate: Parameters<typeof protectHandler>[0]) => protectHandler(tollgate, { schema });
       export const result: Promise<TestResult> = createTestTollgate({ schema }).then((one) => one.send({ query: '{ a }' }));
       // @ts-expect-error: the schema is missing
       createTestTollgate({});`,
    );
  });
});

describe('tollgate', () => {
  let cwd: string;
  beforeAll(() => {
    cwd = install('tollgate', 'graphql', '@apollo/server');
  });

  it('tollgate installs no package that a protected server does not need', () => {
    const heavy = ['@electric-sql/pglite', 'ioredis', 'pg', 'pino', 'prom-client', 'type-graphql', 'world-countries'];
    expect(installed(cwd).filter((name) => heavy.includes(name))).toEqual([]);
  });

  it('tollgate protects an Apollo Server with counters in memory', () => {
    const program = `import { ApolloServer } from '@apollo/server'; import { createTollgate } from 'tollgate';
      import { GraphQLObjectType, GraphQLSchema, GraphQLString } from 'graphql';
      const query = new GraphQLObjectType({ name: 'Query', fields: { hello: { type: GraphQLString, resolve: () => 'hi' } } });
      const schema = new GraphQLSchema({ query });
      const logger = { info() {}, warn() {}, error() {} };
      const tollgate = await createTollgate({ schema, identify: () => ({ user: 'ann' }), logger });
      const server = new ApolloServer({ schema, plugins: [tollgate.plugin()] });
      const { body } = await server.executeOperation({ query: '{ hello }' });
      console.log(body.singleResult.data.hello, body.singleResult.extensions.cost.requestedQueryCost);
      await server.stop(); await tollgate.close();`;
    expect(runModule(cwd, program)).toBe('hi 1');
  });

  it.each([
    ["redis: 'redis://127.0.0.1:1'", 'redis needs the package ioredis, which is not installed: npm install ioredis'],
    [
      "postgres: 'postgres://127.0.0.1:1/x'",
      'postgres: a URL needs the package pg, which is not installed: npm install pg',
    ],
    [
      "redis: 'redis://127.0.0.1:1', postgres: 'postgres://127.0.0.1:1/x', identity: { jwt: { jwksUrl: 'https://x.test/keys', issuer: 'a', audience: 'b', algorithms: ['RS256'] } }",
      'redis needs the package ioredis, postgres: a URL needs the package pg, identity.jwt needs the package jose: they are not installed: npm install ioredis pg jose',
    ],
  ])('createTollgate names the missing package for %s', (option, message) => {
    const program = `import { createTollgate } from 'tollgate'; import { buildSchema } from 'graphql';
      const options = { schema: buildSchema('type Query { a: Int }'), identify: () => ({}), logger: { info() {}, warn() {}, error() {} }, ${option} };
      console.log(await createTollgate(options).then(() => 'opened', (error) => error.message)); process.exit(0);`;
    expect(runModule(cwd, program)).toBe(message);
  });

  it('the first example of the getting-started page protects a schema without annotations as printed', () => {
    const page = readFileSync(join(ROOT, 'docs/getting-started.md'), 'utf8');
    const [, lines = ''] = /```ts\n([\s\S]*?)```/.exec(page) ?? [];
    writeFileSync(
      join(cwd, 'schema.js'),
      `import { buildSchema } from 'graphql';
       export const schema = buildSchema('type Query { users(first: Int): [User] } type User { id: ID }');`,
    );
    // The changed program starts on a free port and keeps its URL.
    const started = lines.replace(
      /await startStandaloneServer\((\w+), \{/,
      'const { url } = await startStandaloneServer($1, { listen: { port: 0 },',
    );
    expect(started).toContain('listen:');
    const program = `${started}
      const { getIntrospectionQuery } = await import('graphql');
      async function ask(query) {
        const body = JSON.stringify({ query });
        const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
        return answer.json();
      }
      // The cost is fifty times the capacity of the bucket, so only shadow mode admits it.
      const { extensions, errors } = await ask('{ users(first: 50000) { id } }');
      const { data } = await ask(getIntrospectionQuery());
      process.stderr.write(JSON.stringify([extensions.cost.requestedQueryCost, errors ?? 'admitted', typeof data.__schema]));
      await server.stop(); await tollgate.close();`;
    const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { cwd, encoding: 'utf8' });
    expect(stderr).toBe('[50000,"admitted","object"]');
  });

  it('createTollgate reports all mistakes of a new user in one error, before it opens any connection', () => {
    const program = `import { createTollgate } from 'tollgate';
      const options = { schema: 'type Query { a: Int }', redisUrl: 'redis://x', mode: 'shadow', postgres: 'mysql://ann:hunter2@x' };
      console.log(await createTollgate(options).then(() => 'started', (error) => error.stack)); process.exit(0);`;
    const message = runModule(cwd, program);
    expect(message).toMatch(/^TypeError: createTollgate: 4 mistakes in its options\n/);
    for (const line of [
      'redisUrl: unknown option; did you mean redis?',
      'schema: expected a GraphQLSchema, got a string: pass makeExecutableSchema({ typeDefs, resolvers })',
      'postgres: expected a URL that begins with postgres:// or postgresql://, got one that begins with mysql://',
      'mode: expected "ENFORCE" or "SHADOW", got "shadow"; did you mean "SHADOW"?',
    ]) {
      expect(message).toContain(`\n  ${line}`);
    }
    expect(message).not.toContain('hunter2');
    const file = `import 'tollgate/schema/directives.graphql'`;
    const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', file], { cwd, encoding: 'utf8' });
    expect(stderr).toContain('ERR_UNKNOWN_FILE_EXTENSION');
    expect(runModule(cwd, `console.log(typeof (await import('tollgate')).costTypeDefs)`)).toBe('string');
  });

  it('the admin and server entry points name all missing packages in one error', () => {
    const messageOf = (call: string) =>
      runModule(cwd, `${call}.then(() => console.log('there'), (error) => console.log(error.message)); `);
    expect(messageOf(`(await import('tollgate/admin')).createAdminHandler({})`)).toBe(
      'tollgate/admin needs packages that are not installed: npm install type-graphql reflect-metadata express csv-stringify',
    );
    expect(messageOf(`(await import('tollgate/server')).startServer()`)).toMatch(
      /^tollgate\/server needs packages that are not installed: npm install csv-stringify express /,
    );
    const started = spawnSync(process.execPath, ['node_modules/tollgate/dist/cli.js', 'start'], {
      cwd,
      encoding: 'utf8',
    });
    expect(started.status).toBe(1);
    const [, named = ''] = /npx tollgate-platform start.* npm install (.*)/.exec(started.stderr) ?? [];
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'packages/platform/package.json'), 'utf8'));
    const there = installed(cwd);
    expect(named.trim().split(' ').sort()).toEqual(
      Object.keys(dependencies)
        .filter((name) => !there.includes(name) && !OF_THE_SAMPLE_API.includes(name))
        .sort(),
    );
    expect(started.stderr.trim().split('\n')).toHaveLength(1);
  });

  it('a command names its missing package in one line', () => {
    const redis = 'redis://127.0.0.1:1';
    const env = { ...process.env, REDIS_URL: redis, DATABASE_URL: 'postgres://127.0.0.1:1/x' };
    const command = (...args: string[]) => {
      const options = { cwd: withGraphqlAlone, encoding: 'utf8', env } as const;
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        ['node_modules/tollgate/dist/cli.js', ...args],
        options,
      );
      expect(status).toBe(1);
      return `${stdout}${stderr}`;
    };
    const needsPg = 'DATABASE_URL needs the package pg, which is not installed: npm install pg';
    expect(command('migrate', 'status')).toBe(`${needsPg}\n`);
    expect(command('rules', 'plan', 'package.json')).toBe(`${needsPg}\n`);
    const found = command('doctor');
    expect(found).toContain(`failure  PostgreSQL       ${needsPg}\n`);
    expect(found).toContain(
      'failure  Redis            redis needs the package ioredis, which is not installed: npm install ioredis\n',
    );
  });

  it('the entry points for Yoga and Mercurius load without Yoga and Mercurius', () => {
    const program = `import { buildSchema } from 'graphql';
      import { createTollgate } from 'tollgate';
      import { protectMercurius } from 'tollgate/mercurius';
      import { useTollgate } from 'tollgate/yoga';
      const schema = buildSchema('type Query { a: Int }');
      const tollgate = await createTollgate({ schema, identify: () => ({ user: 'ann' }) });
      console.log(typeof protectMercurius, typeof useTollgate(tollgate).onParams);
      await tollgate.close();`;
    // Log lines about the schema and the limits precede the last line.
    expect(runModule(withGraphqlAlone, program).split('\n').at(-1)).toBe('function function');
  });

  it('tollgate can be loaded with `require`', () => {
    expect(runScript(cwd, `console.log(typeof require('tollgate').createTollgate)`)).toBe('function');
  });

  it('the types of tollgate compile without Apollo Server, a Redis client and prom-client', () => {
    const program = `import { buildSchema } from 'graphql';
       import { createTollgate, type Tollgate } from 'tollgate';
       const schema = buildSchema('type Query { a: Int }');
       const tollgate: Tollgate = await createTollgate({ schema, identify: ({ header }) => ({ user: header('x') }) });
       await tollgate.plugin().serverWillStart({ schema });
       // @ts-expect-error: no client of ioredis
       createTollgate({ schema, identify: () => ({}), redis: {} });
       // @ts-expect-error: no registry of prom-client
       createTollgate({ schema, identify: () => ({}), metrics: {} });
       // @ts-expect-error: an unknown mode
       createTollgate({ schema, identify: () => ({}), mode: 'OFF' });
       export {};`;
    // In this test, the types of the DOM declare AbortSignal and URL. In the other tests, the types
    // of Node.js declare them.
    compile(withGraphqlAlone, program, { lib: ['es2023', 'dom'] });
  });

  it('the types of tollgate are compatible with the types of Apollo Server', () => {
    compile(
      cwd,
      `import { ApolloServer } from '@apollo/server';
       import { buildSchema } from 'graphql';
       import { createTollgate, type Tollgate } from 'tollgate';
       const schema = buildSchema('type Query { a: Int }');
       const tollgate: Tollgate = await createTollgate({ schema, identify: ({ header }) => ({ user: header('x') ?? 'anonymous' }) });
       new ApolloServer({ schema, plugins: [tollgate.plugin()] });
       // @ts-expect-error: an unknown mode
       createTollgate({ schema, identify: () => ({}), mode: 'OFF' });
       export {};`,
      // The types of Apollo Server need more packages than are installed here.
      { skipLibCheck: true },
    );
  });
});

describe('the published packages', () => {
  const platform = JSON.parse(readFileSync(join(ROOT, 'packages/platform/package.json'), 'utf8'));
  const root = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

  it('publint and "are the types wrong" accept the published package', () => {
    run(ROOT, process.execPath, 'node_modules/publint/src/cli.js', 'run', tarball, '--strict');
    const attw = ['--profile', 'esm-only', '--exclude-entrypoints', './schema/directives.graphql', '--format', 'json'];
    run(ROOT, process.execPath, 'node_modules/@arethetypeswrong/cli/dist/index.js', tarball, ...attw);
  });

  it('tollgate-platform depends on the packages that only it needs, in the tested versions', () => {
    // The platform does not use these packages. Estimators are passed to Tollgate in code, and a
    // page with GraphiQL has its own packages.
    const notOfThePlatform = ['graphql-query-complexity', '@graphiql/react', 'react'];
    const all: Record<string, string> = Object.fromEntries(
      Object.entries<string>(root.peerDependencies).filter(([name]) => !notOfThePlatform.includes(name)),
    );
    const { '@opentelemetry/api': _one, graphql: _other, ...peers } = all;
    const { tollgate, graphql: _graphql, ...needed } = platform.dependencies;
    // Peer ranges are wide, so that they accept versions that projects need for other reasons.
    // Entry points that need a later version check it themselves.
    const names = Object.keys(needed);
    expect(names.filter((name) => !OF_THE_SAMPLE_API.includes(name))).toEqual(Object.keys(peers));
    expect(names).toEqual(expect.arrayContaining(OF_THE_SAMPLE_API));
    expect(tollgate).toBe(root.version);
    expect(platform.version).toBe(root.version);
    for (const [name, range] of Object.entries(needed))
      expect({ ...root.dependencies, ...root.devDependencies }[name]).toBe(range);
  });

  it('the package can be installed in a project with other versions of its optional packages', () => {
    const project = mkdtempSync(join(folder, 'project-'));
    const dependencies = {
      express: '^4.21.0',
      ioredis: '~5.6.0',
      jose: '~5.9.0',
      pino: '^9.0.0',
      undici: '^6.0.0',
      graphql: '^16.11.0',
    };
    const manifest = {
      private: true,
      dependencies: { ...dependencies, '@graphql-tools/schema': '^10.1.0', tollgate: `file:${tarball}` },
    };
    writeFileSync(join(project, 'package.json'), JSON.stringify(manifest));
    run(project, 'npm', 'install', '--package-lock-only', '--prefer-offline', '--no-audit', '--no-fund', '--silent');
  });

  it('the JavaScript of the package consists of a few files with many modules each', () => {
    const cwd = withGraphqlAlone;
    const dist = join(cwd, 'node_modules/tollgate/dist');
    const count = (path: string) => readdirSync(path).filter((name) => name.endsWith('.js')).length;
    expect(count(dist)).toBeLessThan(100);
    expect(readdirSync(dist, { recursive: true }).filter((name) => String(name).endsWith('.map'))).toEqual([]);
    // Type declarations still have one file for each module, at the same paths.
    expect(readdirSync(join(dist, 'limiter')).every((name) => !name.endsWith('.js'))).toBe(true);
    expect(readdirSync(join(dist, 'limiter'))).toContain('create-limiter.d.ts');
  });

  it('the package contains only files that are executed or read', () => {
    const files = run(folder, 'tar', '-tzf', tarball).trim().split('\n');
    expect(new Set(files.map((file) => file.split('/')[1]))).toEqual(
      new Set([
        ...readdirSync(ROOT).filter((name) => /^(LICENSE|README\.md|SECURITY\.md|package\.json)$/.test(name)),
        'dist',
        'docs',
        'lua',
        'migrations',
        'schema',
      ]),
    );
  });
});
