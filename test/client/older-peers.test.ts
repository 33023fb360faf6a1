import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { protectedApi } from '../helpers/testkit.js';

// Tests of tollgate-client with the oldest supported versions of its peer dependencies. The other
// tests use the versions of this repository.

const SOURCES = fileURLToPath(new URL('../../packages/client/src/', import.meta.url));
const OLDEST = { '@apollo/client': '3.8.0', '@urql/core': '5.0.0', wonka: '6.3.0', graphql: '16.11.0' };

/** Imports of an app, and its calls. */
const PROGRAMS = {
  'Apollo Client 3.8': {
    imports: `
    import { ApolloClient, ApolloLink, HttpLink, InMemoryCache, gql } from '@apollo/client/core';
    import { tollgateLink } from ${JSON.stringify(join(SOURCES, 'apollo.ts'))};`,
    connect: `
    const link = ApolloLink.from([tollgateLink({ onEvent }), new HttpLink({ uri: url })]);
    const client = new ApolloClient({ cache: new InMemoryCache(), link });
    const options = { fetchPolicy: 'no-cache', context: { queryDeduplication: false } };
    const ask = async (text) => (await client.query({ query: gql(text), ...options })).data;`,
  },
  'urql 5': {
    imports: `
    import { Client, fetchExchange } from '@urql/core';
    import { tollgateExchange } from ${JSON.stringify(join(SOURCES, 'urql.ts'))};`,
    connect: `
    const client = new Client({ url, preferGetMethod: false, exchanges: [tollgateExchange({ onEvent }), fetchExchange] });
    const ask = async (text) => {
      const { data, error } = await client.query(text, {}, { requestPolicy: 'network-only' }).toPromise();
      if (error) throw error;
      return data;
    };`,
  },
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-older-peers-'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: OLDEST }));
  const flags = ['--prefer-offline', '--legacy-peer-deps', '--no-audit', '--no-fund', '--silent'];
  execFileSync('npm', ['install', ...flags], { cwd: folder, stdio: 'inherit' });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each(
  Object.entries(PROGRAMS),
)('%s, the oldest supported version, gets responses to a burst that exceeds its bucket', async (_, {
  imports,
  connect,
}) => {
  const api = await protectedApi({ tier: { capacity: 100, refillAmount: 100, refillPeriodMs: 1000 } });
  const contents = `${imports}
    const url = ${JSON.stringify(api.url)};
    const counts = { SENT: 0, DENIED: 0, WAITING: 0 };
    const onEvent = ({ type }) => counts[type]++;
    ${connect}
    const items = (call) => ask('query Items' + call + ' { items(first: 30) { name } }');
    const answers = [await items(0), ...(await Promise.all([1, 2, 3, 4, 5].map(items)))];
    const rejection = await ask('{ items(first: 5000) { name } }').catch((error) => String(error.message));
    const admitted = counts.SENT - counts.DENIED;
    console.log(JSON.stringify({ lengths: answers.map(({ items }) => items.length), rejection, admitted }));`;
  // The program is bundled, like an app: Node.js cannot import parts of Apollo Client 3 directly.
  const outfile = join(folder, 'program.mjs');
  await build({
    stdin: { contents, resolveDir: folder },
    // Resolves the imports of the package in the app's folder.
    nodePaths: [join(folder, 'node_modules')],
    alias: Object.fromEntries(Object.keys(OLDEST).map((name) => [name, join(folder, 'node_modules', name)])),
    bundle: true,
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'],
    outfile,
  });
  const { stdout } = await promisify(execFile)(process.execPath, [outfile]);
  expect(JSON.parse(stdout)).toEqual({
    // The API returns half of the requested items.
    lengths: Array.from({ length: 6 }, () => 15),
    rejection: expect.stringMatching(/expensive|400/),
    admitted: 7,
  });
  expect(api.resolved()).toBe(6);
});
