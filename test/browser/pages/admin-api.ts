import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { ADMIN_TOKEN } from '../../helpers/platform.js';
import { barriersOf, keepScreenshot } from '../open-browser.js';
import { type ConsoleKit, eventually, loaded, tabTo } from './console-kit.js';

const run = promisify(execFile);
const NO_SESSION = { cookies: [], origins: [] };

const at = (query: string, variables = '') => `/admin/graphql?${new URLSearchParams({ query, variables })}`;
const answerOf = (page: Page) => page.getByRole('region', { name: 'Response' });

/** Returns an array that receives each operation that the page sends. */
function operationsOf(page: Page): string[] {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/admin/graphql')) sent.push(request.postData() ?? '');
  });
  return sent;
}

/** Tests the page of the admin API, to which a browser is sent from `/admin/graphql`. */
export function describeAdminApi({ visit }: ConsoleKit) {
  describe('the page of the admin API', () => {
    it('/admin/graphql in a browser shows the schema, runs an operation with the session, and links to other pages', async () => {
      const { page } = await visit('/admin/graphql');
      await loaded(page, 'Admin API');
      expect(new URL(page.url()).pathname).toBe('/console/graphql');
      await page.getByRole('button', { name: 'Mutation', exact: true }).click();
      await page.getByRole('button', { name: 'tierCreate', exact: true }).waitFor();
      await page.getByRole('button', { name: 'Run' }).click();
      await eventually(() => answerOf(page).first().innerText()).toMatch(/Status\s*200[\s\S]*"role": "ADMIN"/);
      expect(await barriersOf(page)).toEqual([]);
      await keepScreenshot(page, 'admin-api-response');
      await page.setViewportSize({ width: 390, height: 700 });
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
      await page.setViewportSize({ width: 1280, height: 720 });
      await page.getByRole('link', { name: 'Overview' }).click();
      await loaded(page, 'Overview');
      await page.getByRole('link', { name: 'Admin API' }).click();
      await loaded(page, 'Admin API');
    });

    it('a visitor logs in first and then finds the operation of the URL, which has not run', async () => {
      const { page, complaints } = await visit('/healthz', { storageState: NO_SESSION });
      const sent = operationsOf(page);
      const mutation = 'mutation Stop { demoTrafficSet(isOn: true) { isOn } }';
      await page.goto(new URL(at(mutation), page.url()).href);
      await page.getByLabel('Admin token').fill(ADMIN_TOKEN);
      await page.keyboard.press('Enter');
      await loaded(page, 'Admin API');
      expect(await page.getByRole('textbox', { name: 'Operation' }).innerText()).toContain('mutation Stop');
      await page.getByText('This mutation changes data.').waitFor();
      await page.getByRole('region', { name: 'Operations' }).waitFor();
      expect(sent.filter((body) => body.includes('demoTrafficSet'))).toEqual([]);
      await page.getByRole('button', { name: 'Run mutation' }).click();
      await eventually(() => answerOf(page).first().innerText()).toContain('"isOn": true');
      expect(sent.filter((body) => body.includes('demoTrafficSet'))).toHaveLength(1);
      // The token is in no place that a script of the page could read.
      const seen = await page.evaluate<string>(
        'document.documentElement.outerHTML + document.cookie + JSON.stringify([{ ...localStorage }, { ...sessionStorage }])',
      );
      expect(seen).not.toContain(ADMIN_TOKEN);
      expect(complaints.splice(0).filter((text) => !text.includes('401'))).toEqual([]);
    });

    it('an operation is completed, run and read by keyboard, and its types can be looked up', async () => {
      const { page } = await visit(at('{ viewer { name  } }'));
      await loaded(page, 'Admin API');
      await page.getByRole('region', { name: 'Operations' }).waitFor();
      const editor = page.getByRole('textbox', { name: 'Operation' });
      await tabTo(page, editor);
      await page.keyboard.press('Control+End');
      for (const _ of ' } }') await page.keyboard.press('ArrowLeft');
      await page.keyboard.type('ro');
      const role = page.getByRole('option', { name: /role/ });
      let wasThere = false;
      // The editor may still be loading the schema. A list that has just opened ignores Enter,
      // which may have been meant for the text.
      const completes = async () => {
        const isThere = (await role.count()) === 1;
        if (!isThere) await page.keyboard.press('Control+Space');
        else if (wasThere) await page.keyboard.press('Enter');
        wasThere = isThere;
        return editor.innerText();
      };
      await expect.poll(completes, { interval: 200 }).toMatch(/name\s+role/);
      await page.keyboard.press('Control+Enter');
      await eventually(() => answerOf(page).first().innerText()).toContain('"role": "ADMIN"');
      await page.getByRole('searchbox', { name: 'Search types, fields and arguments' }).fill('viewer');
      await page.getByRole('button', { name: 'Query.viewer', exact: true }).click();
      await page.getByRole('button', { name: 'Viewer!', exact: true }).click();
      await page.getByRole('region', { name: 'Fields' }).getByText('role').first().waitFor();
      await page.getByRole('button', { name: 'authMethod', exact: true }).click();
      await page.getByRole('button', { name: 'Insert into operation' }).click();
      await eventually(() => editor.innerText()).toContain('authMethod');
      await page.getByRole('searchbox', { name: 'Search types, fields and arguments' }).fill('nothing of this name');
      await page.getByText('No name matches').waitFor();
    });

    it('of several operations the chosen one runs, with the variables, and errors are shown as the API sends them', async () => {
      const query =
        'query Mine { viewer { name } } query Some($first: Int!) { tiers(first: $first) { nodes { name } } }';
      const { page, complaints } = await visit(at(query, '{ "first": 1 }'));
      await loaded(page, 'Admin API');
      await page.getByRole('combobox', { name: 'Operation to run' }).selectOption('Some');
      await page.getByRole('button', { name: 'Run' }).click();
      await eventually(() => answerOf(page).first().innerText()).toMatch(/"nodes": \[\s*\{\s*"name": "\w+"\s*\}\s*\]/);
      await page.getByLabel('Variables (JSON)').fill('{ "first": "x" }');
      await page.getByRole('button', { name: 'Run' }).click();
      await eventually(() => answerOf(page).first().innerText()).toMatch(/Status\s*400[\s\S]*Int cannot represent/);
      await page.getByLabel('Variables (JSON)').fill('{ first');
      await page.getByText(/^Variables: invalid JSON/).waitFor();
      expect(await page.getByRole('button', { name: 'Run' }).isDisabled()).toBe(true);
      expect(complaints.splice(0).filter((text) => !text.includes('400'))).toEqual([]);
    });

    it('the copied curl command sends the same operation with a token in a variable', async () => {
      const query = '{ viewer { name } } # it\'s "quoted"';
      const { page } = await visit('/healthz', { permissions: ['clipboard-read', 'clipboard-write'] });
      await page.goto(new URL(at(query), page.url()).href);
      await loaded(page, 'Admin API');
      await page.getByRole('button', { name: 'Copy as curl' }).click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      const command = await page.evaluate<string>('navigator.clipboard.readText()');
      expect(command).not.toContain(ADMIN_TOKEN);
      const { stdout } = await run('sh', ['-c', command], {
        env: { ...process.env, TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN },
      });
      expect(JSON.parse(stdout)).toMatchObject({ data: { viewer: { name: 'admin' } } });
    });
  });
}
