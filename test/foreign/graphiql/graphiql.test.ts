import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import express from 'express';
import type { Browser } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { portOf } from '../../admin/run-example.js';
import { openBrowser, watchedPage } from '../../browser/open-browser.js';
import { protectedApi } from '../../helpers/testkit.js';

const ROOT = fileURLToPath(new URL('.', import.meta.url));
const ENTRY_POINT = fileURLToPath(new URL('../../../dist/entry/graphiql.js', import.meta.url));
const outDir = mkdtempSync(join(tmpdir(), 'tollgate-graphiql-'));

let browser: Browser;
beforeAll(async () => {
  await build({
    root: ROOT,
    configFile: false,
    base: './',
    logLevel: 'error',
    // Users import the plugin from the installed package `tollgate`. This test imports the built
    // file, and the file uses the packages of this folder.
    resolve: {
      alias: { 'tollgate/graphiql': ENTRY_POINT },
      dedupe: ['react', 'react-dom', '@graphiql/react', 'graphql'],
    },
    build: { outDir, emptyOutDir: true, chunkSizeWarningLimit: 20_000, reportCompressedSize: false },
  });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  rmSync(outDir, { recursive: true, force: true });
});

async function open() {
  const api = await protectedApi({ mayReportCost: () => true });
  // GraphiQL and the API have one origin, as usual.
  const app = express().use(express.static(outDir));
  app.use('/graphql', express.text({ type: '*/*' }), async ({ headers, body }, response) => {
    const { 'graphql-cost': wants } = headers;
    const answer = await fetch(api.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-user': api.user,
        ...(wants && { 'graphql-cost': String(wants) }),
      },
      body,
    });
    response
      .status(answer.status)
      .type('json')
      .send(await answer.text());
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  const origin = `http://127.0.0.1:${await portOf(server)}`;
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
  const { page, complaints } = await watchedPage(context);
  await page.goto(`${origin}/?api=${encodeURIComponent(`${origin}/graphql`)}`);
  await page.getByRole('button', { name: /Cost/ }).click();
  return {
    api,
    page,
    complaints,
    async close() {
      await context.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

it('GraphiQL shows the cost of an operation by field and tier, and updates it while the user types', async () => {
  const { api, page, complaints, close } = await open();
  const cost = page.getByTestId('tollgate-cost');
  await expect.poll(() => cost.textContent()).toBe('21');
  const rows = async () => page.locator('.graphiql-plugin tbody tr').allInnerTexts();
  const cells = (await rows()).map((row) => row.split('\t').map((cell) => cell.trim()));
  expect(cells).toEqual([
    ['Query.items', '1', '20', ''],
    ['Query.item', '1', '1', ''],
    ['Item.name', '21', '0', ''],
    ['free', '1', '0.2'],
    ['pro', '47', '1,428'],
  ]);
  expect(await page.getByRole('progressbar', { name: 'Query.items: 95 % of the cost' }).isVisible()).toBe(true);

  const write = async (text: string) => {
    await page.locator('.graphiql-query-editor .view-lines').click();
    await page.keyboard.press('Control+A');
    // Without this key press, the editor would add its own brackets around the replaced text.
    await page.keyboard.press('Delete');
    await page.keyboard.insertText(text);
  };
  await write('mutation { save { name } }');
  await expect.poll(() => cost.textContent()).toBe('11');
  await write('{ items(first: 250) { name } }');
  await expect.poll(async () => (await rows()).at(-1) ?? '').toMatch(/pro\s+too expensive: the maximum is 200 tokens/);
  expect(api.resolved()).toBe(0);
  expect(complaints).toEqual([]);
  await close();
});
