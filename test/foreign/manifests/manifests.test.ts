import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DocumentInput } from '../../../src/registry/document-input.js';
import { readManifest } from '../../../src/registry/read-manifest.js';

const HERE = fileURLToPath(new URL('.', import.meta.url));
/** The files that the tests of `npm test` read. */
const COMMITTED = fileURLToPath(new URL('../../registry/manifests/', import.meta.url));
const run = promisify(execFile);

let folder: string;
beforeAll(() => {
  // Inside this folder, so that the tools find their packages.
  folder = mkdtempSync(join(HERE, 'made-'));
  cpSync(join(COMMITTED, 'schema.graphql'), join(folder, 'schema.graphql'));
  cpSync(join(COMMITTED, 'operations'), join(folder, 'src'), { recursive: true });
  mkdirSync(join(folder, 'relay'));
  // The compiler adds the documents to an existing file.
  writeFileSync(join(folder, 'relay.json'), '{}');
  cpSync(join(COMMITTED, 'relay/app.js.txt'), join(folder, 'relay/app.js'));
  cpSync(join(COMMITTED, 'relay/relay.config.json'), join(folder, 'relay.config.json'));
  cpSync(join(COMMITTED, 'codegen/codegen.ts.txt'), join(folder, 'codegen.ts'));
  cpSync(
    join(COMMITTED, 'apollo/persisted-query-manifest.config.json'),
    join(folder, 'persisted-query-manifest.config.json'),
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a tool. It finds no repository, because the Relay compiler would stage its files there. */
const tool = (name: string, ...args: string[]) =>
  run(process.execPath, [join(HERE, 'node_modules/.bin', name), ...args], {
    cwd: folder,
    env: { ...process.env, GIT_CEILING_DIRECTORIES: HERE.replace(/\/$/, '') },
  });
const byId = (documents: readonly DocumentInput[]) => [...documents].sort((a, b) => (a.id < b.id ? -1 : 1));

it.each([
  ['generate-persisted-query-manifest', [], 'apollo.json', 'apollo/persisted-query-manifest.json', 3],
  ['relay-compiler', [], 'relay.json', 'relay/persisted.json', 2],
  [
    'graphql-codegen',
    ['--config', 'codegen.ts'],
    'gql/persisted-documents.json',
    'codegen/persisted-documents.json',
    3,
  ],
] as const)('the manifest that %s writes is read, and is the one of the other tests', async (name, args, made, committed, count) => {
  await tool(name, ...args);
  const documents = readManifest(readFileSync(join(folder, made), 'utf8'));
  expect(documents).toHaveLength(count);
  expect(byId(documents)).toEqual(byId(readManifest(readFileSync(join(COMMITTED, committed), 'utf8'))));
});
