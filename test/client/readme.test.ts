import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gql } from '@apollo/client/core';
import { build } from 'esbuild';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Pacer } from '../../packages/client/src/pacer.js';
import { codeBlocks, ROOT } from '../docs/documents.js';
import { type ProtectedApi, protectedApi } from '../helpers/testkit.js';

// Runs the examples in the README of tollgate-client with a protected API. Only the addresses in
// the examples are replaced.

const QUERY = '{ items(first: 4) { name } }';
const SOURCES = join(ROOT, 'packages/client/src');
const ENTRY_POINTS = ['manifest', 'apollo', 'urql', 'react'];

/** Values that an example defines, by their names in the example. */
interface Made {
  client?: Record<'request' | 'query', (query: unknown, variables?: object) => unknown>;
  send?: ((url: string, init: RequestInit) => Promise<Response>) & { pacer: Pacer };
  QuotaBar?: () => string;
}

const blocks = codeBlocks().filter(({ place, language }) => place.startsWith('packages/client/') && language === 'ts');
let api: ProtectedApi;
let folder: string;

beforeAll(async () => {
  // A folder from which the packages that the examples import can be resolved.
  folder = mkdtempSync(join(ROOT, 'node_modules', '.readme-'));
  api = await protectedApi({ tier: { capacity: 1000, refillAmount: 1000, refillPeriodMs: 1000 } });
});
afterAll(async () => {
  await api?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function make(code: string, name: string): Promise<Made> {
  const manifest = JSON.stringify({ version: 1, formulas: {}, operations: {} });
  const here = code
    .replaceAll('https://api.example.com/graphql', api.url)
    .replaceAll('https://app.example.com/prices.json', `data:application/json,${encodeURIComponent(manifest)}`);
  const made = ['client', 'send', 'QuotaBar'].map((it) => `${it}: typeof ${it} === 'undefined' ? undefined : ${it}`);
  const outfile = join(folder, `${name}.mjs`);
  const alias = Object.fromEntries(
    ENTRY_POINTS.map((entryPoint) => [`tollgate-client/${entryPoint}`, join(SOURCES, `${entryPoint}.ts`)]),
  );
  await build({
    stdin: { contents: `${here}\nexport const made = { ${made.join(', ')} };`, loader: 'ts', resolveDir: folder },
    alias: { ...alias, 'tollgate-client': join(SOURCES, 'index.ts') },
    bundle: true,
    packages: 'external',
    format: 'esm',
    outfile,
  });
  return ((await import(pathToFileURL(outfile).href)) as { made: Made }).made;
}

it.each(
  blocks.map(({ place, code }, index) => [place, code, `example-${index}`] as const),
)('the README example at %s works as printed', async (_, code, name) => {
  const { client, send, QuotaBar } = await make(code, name);
  const before = api.resolved();
  if (code.includes('@apollo/client')) await client!.query({ query: gql(QUERY) });
  else if (code.includes('@urql/core'))
    await (client!.query(QUERY, {}) as { toPromise(): Promise<unknown> }).toPromise();
  else if (client) await client.request(QUERY);
  else {
    const headers = { 'content-type': 'application/json' };
    const response = await send!(api.url, { method: 'POST', headers, body: JSON.stringify({ query: QUERY }) });
    expect(response.status).toBe(200);
    expect(send!.pacer.quota()).toMatchObject({ capacity: 1000, waiting: 0 });
  }
  expect(api.resolved()).toBeGreaterThan(before);
  // Rendering on the server shows no quota.
  if (QuotaBar) expect(renderToString(createElement(QuotaBar))).toBe('');
});

it('the README has an example for each entry point', () => {
  for (const entryPoint of ['tollgate-client', ...ENTRY_POINTS.map((entryPoint) => `tollgate-client/${entryPoint}`)])
    expect(blocks.some(({ code }) => code.includes(`from '${entryPoint}'`))).toBe(true);
});
