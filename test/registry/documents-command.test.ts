import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { documentsCommand } from '../../src/server/commands/documents/documents-command.js';
import { openServerDatabase } from '../postgres/databases.js';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const SCHEMA = path('manifests/schema.graphql');
const APOLLO = path('manifests/apollo/persisted-query-manifest.json');
const CODEGEN = path('manifests/codegen/persisted-documents.json');

let database: Awaited<ReturnType<typeof openServerDatabase>>;
let folder: string;
beforeAll(async () => {
  database = await openServerDatabase();
  process.env['DATABASE_URL'] = database.url;
  folder = mkdtempSync(join(tmpdir(), 'documents-'));
});
afterAll(async () => {
  delete process.env['DATABASE_URL'];
  rmSync(folder, { recursive: true });
  await database.dispose();
});

async function run(...args: string[]) {
  let [stdout, stderr] = ['', ''];
  const status = await documentsCommand(args, {
    stdout: { write: (text) => (stdout += text) },
    stderr: { isTTY: true, write: (text) => (stderr += text) },
  });
  return { status, stdout, stderr };
}

it('a version is pushed with a progress bar, published, listed and retired', async () => {
  const of = ['--app', 'web', '--version', '1.4.0'];
  const pushed = await run('push', APOLLO, ...of);
  expect(pushed).toMatchObject({ status: 0, stdout: expect.stringContaining('web 1.4.0: draft, 3 documents') });
  expect(pushed.stderr).toContain(`\r[${'#'.repeat(40)}] 3 of 3\n`);
  expect((await run('push', APOLLO, ...of)).stdout).toContain('nothing changed');
  expect((await run('publish', ...of)).stdout).toContain('web 1.4.0: published');
  expect((await run('list')).stdout).toContain('web 1.4.0: published, 3 documents');
  expect((await run('list', ...of, '--unused-since', '1')).stdout).toMatch(/ {2}UserPage, never used\n/);
  expect((await run('retire', ...of)).stdout).toContain('web 1.4.0: retired');
  expect(await run('push', APOLLO, ...of)).toMatchObject({ status: 1, stderr: expect.stringContaining('retired') });
});

it('a folder of documents is pushed, and an invalid file is named', async () => {
  writeFileSync(join(folder, 'good.graphql'), 'query Good { products { id } }');
  expect(await run('push', folder, '--app', 'files', '--version', '1')).toMatchObject({ status: 0 });
  writeFileSync(join(folder, 'bad.json'), '{');
  expect(await run('push', join(folder, 'bad.json'), '--app', 'files', '--version', '1')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('bad.json: expected JSON'),
  });
  expect(await run('push', folder)).toMatchObject({ status: 2, stderr: expect.stringContaining('--app') });
  expect(await run('retire', '--app', 'x', '--version', '9')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('no version "9" of the app "x"'),
  });
});

it('a check prints the worst case of each document, and fails above a maximum or without one', async () => {
  const unbounded = await run('check', CODEGEN, '--schema', SCHEMA);
  expect(unbounded.stdout).toContain('ProductList: unbounded, because $first has no maximum');
  expect(await run('check', CODEGEN, '--schema', SCHEMA, '--max-cost', '500')).toMatchObject({ status: 1 });
  const costs = join(folder, 'costs.yaml');
  writeFileSync(costs, '"Query.products": { maxSize: 50 }\n"User.orders": { maxSize: 50 }\n');
  const bounded = ['--schema', SCHEMA, '--costs', costs, '--max-cost'];
  const checked = await run('check', CODEGEN, ...bounded, '500');
  expect(checked).toMatchObject({ status: 0, stderr: '' });
  expect(checked.stdout).toContain('ProductList: 50');
  expect((await run('check', CODEGEN, ...bounded, '49')).stderr).toMatch(/UserPage costs 5\d, above 49/);
});

it('a check on a changed schema lists the documents that it breaks, and those that became more expensive', async () => {
  const changed = join(folder, 'changed.graphql');
  writeFileSync(changed, readFileSync(SCHEMA, 'utf8').replace('total: Int!', 'sum: Int!'));
  const { status, stderr, stdout } = await run('check', CODEGEN, '--schema', changed);
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('Cannot query field "total"') });
  expect(stdout).toContain('3 documents checked, 1 problems');
  const earlier = join(folder, 'earlier.graphql');
  const later = join(folder, 'later.graphql');
  writeFileSync(earlier, 'query P { products(first: 10) { id } }');
  writeFileSync(later, 'query P { products(first: 13) { id } }');
  const check = (most: string) => run('check', later, '--schema', SCHEMA, '--against', earlier, '--max-increase', most);
  expect(await check('30')).toMatchObject({ status: 0, stdout: expect.stringContaining('P: 13 (was 10)') });
  expect(await check('29')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('13 instead of 10, above +29 %'),
  });
});

it('a check compares with the version that was published last, even if a newer one was pushed', async () => {
  const sized = (first: number) => {
    const file = join(folder, `sized-${first}.graphql`);
    writeFileSync(file, `query Sized { products(first: ${first}) { id } }`);
    return file;
  };
  const of = (version: string) => ['--app', 'sized', '--version', version];
  await run('push', sized(10), ...of('1'));
  await run('push', sized(20), ...of('2'), '--publish');
  await run('push', sized(40), ...of('3'));
  const check = () => run('check', sized(15), '--schema', SCHEMA, '--app', 'sized', '--max-increase', '20');
  expect(await check()).toMatchObject({ status: 0, stdout: expect.stringContaining('Sized: 15 (was 20)') });
  await run('publish', ...of('1'));
  expect(await check()).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('15 instead of 10, above +20 %'),
  });
  await run('retire', ...of('1'));
  expect((await check()).stdout).toContain('Sized: 15 (was 20)');
});

it('a check without a file checks the published documents, of one app or of all', async () => {
  await run('push', CODEGEN, '--app', 'shop', '--version', '7', '--publish');
  writeFileSync(join(folder, 'other.graphql'), '{ unknownToTheSchema }');
  await run('push', join(folder, 'other.graphql'), '--app', 'blog', '--version', '1', '--publish');
  const changed = join(folder, 'renamed.graphql');
  writeFileSync(changed, readFileSync(SCHEMA, 'utf8').replace('total: Int!', 'sum: Int!'));
  const { status, stdout, stderr } = await run('check', '--schema', changed, '--app', 'shop');
  expect({ status, stdout }).toEqual({ status: 1, stdout: expect.stringContaining('3 documents checked, 1 problems') });
  expect(stderr).toMatch(/^shop 7 \S+: Cannot query field "total"/);
  expect((await run('check', '--schema', SCHEMA, '--app', 'shop')).status).toBe(0);
  expect((await run('check', '--schema', SCHEMA)).stderr).toMatch(
    /^blog 1 \S+: Cannot query field "unknownToTheSchema"/,
  );
});

it('the job of docs/documents.md registers the documents of an app', async () => {
  const page = readFileSync(path('../../docs/documents.md'), 'utf8');
  const workflow = parse(/```yaml\n([\s\S]*?)```/.exec(page)![1]!);
  const { steps } = workflow.jobs.register;
  copyFileSync(CODEGEN, join(folder, 'persisted-documents.json'));
  copyFileSync(SCHEMA, join(folder, 'schema.graphql'));
  const cli = path('../../dist/cli.js');
  for (const { run: script } of steps) {
    if (script === undefined || script === 'npm ci') continue;
    const line = script.replace('npx tollgate', `"${process.execPath}" "${cli}"`);
    execFileSync('sh', ['-ec', line], { cwd: folder, env: { ...process.env, GITHUB_SHA: 'abc123' }, stdio: 'pipe' });
  }
  expect((await run('list', '--app', 'web')).stdout).toContain('web abc123: published, 3 documents');
});
