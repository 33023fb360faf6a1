import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { barriersOf } from '../open-browser.js';
import { askAsPage, type ConsoleKit, eventually, loaded } from './console-kit.js';

const PAGES = [
  ['Overview', '/console/'],
  ['Denials', '/console/denials'],
  ['Tiers', '/console/tiers'],
  ['Explorer', '/console/explorer'],
  ['New rule', '/console/rule-form'],
  ['Page not found', '/console/nowhere'],
] as const;

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Search callers, rules, operations and pages' });

/** Tests the search of the console: by keyboard, with a mouse, and on a narrow screen. */
export function describeSearch({ visit }: ConsoleKit) {
  describe('the search', () => {
    it.each(PAGES)('Ctrl-K opens the search on %s, and Escape returns to the same place', async (title, path) => {
      const { page } = await visit(path);
      await loaded(page, title);
      const control = page.locator('main').getByRole('button').or(page.locator('main').getByRole('link')).first();
      await control.focus();
      await page.keyboard.press('Control+k');
      const field = dialogOf(page).getByRole('combobox');
      await eventually(() => field.and(page.locator(':focus')).count()).toBe(1);
      await page.keyboard.press('Escape');
      await dialogOf(page).waitFor({ state: 'detached' });
      await eventually(() => control.and(page.locator(':focus')).count()).toBe(1);
    });

    it.each([
      ['caller', 'demo-free-u', 'demo-free-user', /\/caller\?user=demo-free-user$/],
      ['rule', 'ER-USER', 'search-per-user', /\/rule\?name=search-per-user$/],
      ['operation', 'untrylis', 'CountryList', /\/operations\?operation=CountryList$/],
      ['page', 'hist', 'History', /\/history$/],
      ['action', 'new ru', 'New rule', /\/rule-form$/],
    ])('the search finds an object of kind %s, which the arrow keys and Enter open', async (_kind, text, name, address) => {
      const { page } = await visit('/console/health');
      await loaded(page, 'Health');
      await page.keyboard.press('Control+k');
      await dialogOf(page).waitFor();
      await page.keyboard.type(text);
      const found = dialogOf(page).getByRole('option', { name: new RegExp(`^${name}`) });
      await found.waitFor();
      // Until all results are there, another one may take the place of the highlighted one.
      await dialogOf(page).getByText('to move, Enter to open').waitFor();
      for (let press = 0; press < 10 && (await found.getAttribute('data-highlighted')) === null; press++) {
        await page.keyboard.press('ArrowDown');
      }
      await page.keyboard.press('Enter');
      await eventually(async () => page.url()).toMatch(address);
      await dialogOf(page).waitFor({ state: 'detached' });
      // The focus is on the content of the new page.
      await eventually(() => page.locator('main:focus').count()).toBe(1);
    });

    it('the search finds the address of a caller that has traffic and no stored entry', async () => {
      const { page } = await visit('/console/health');
      await loaded(page, 'Health');
      await page.evaluate(`fetch('/graphql', { method: 'POST', headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: '{ countries(first: 1) { name } }' }) }).then(() => {})`);
      const filter = '{ topCallers(first: 1, filter: { ip: "127.0.0.1" }) { nodes { requests } } }';
      const found = async () =>
        (await askAsPage<{ data: { topCallers: { nodes: object[] } } }>(page, filter)).data.topCallers.nodes.length;
      await expect.poll(found, { interval: 1000 }).toBe(1);
      await page.getByRole('button', { name: 'Search' }).click();
      await dialogOf(page).waitFor();
      await page.keyboard.type('127.0.0.1');
      await dialogOf(page).getByRole('option', { name: '127.0.0.1' }).waitFor();
      await page.keyboard.press('Enter');
      await eventually(async () => page.url()).toMatch(/\/caller\?ip=127\.0\.0\.1$/);
    });

    it('letters that are typed while the search still loads are in its field', async () => {
      const { page } = await visit('/console/tiers', {});
      let answer = () => {};
      const isTyped = new Promise<void>((resolve) => {
        answer = resolve;
      });
      await page.route(/search-dialog-.*\.js/, async (route) => {
        await isTyped;
        await route.continue();
      });
      await page.reload();
      await loaded(page, 'Tiers');
      await page.keyboard.press('Control+k');
      // `g r` would open the rules.
      await page.keyboard.type('gr');
      answer();
      await page.keyboard.type('een');
      const field = dialogOf(page).getByRole('combobox');
      await eventually(() => field.and(page.locator(':focus')).count()).toBe(1);
      await page.keyboard.type('s');
      await eventually(() => field.inputValue()).toBe('greens');
      expect(new URL(page.url()).pathname).toBe('/console/tiers');
    });

    it('Escape closes the search while it still loads', async () => {
      const { page } = await visit('/console/tiers', {});
      await page.route(/search-dialog-.*\.js/, () => {});
      await page.reload();
      await loaded(page, 'Tiers');
      await page.keyboard.press('Control+k');
      await page.keyboard.press('Escape');
      await page.keyboard.type('gr');
      await eventually(async () => new URL(page.url()).pathname).toBe('/console/rules');
      await page.unroute(/search-dialog-.*\.js/);
    });

    it('the search sends one request for a text that is typed without a pause', async () => {
      const { page } = await visit('/healthz', {});
      await page.clock.install();
      await page.goto(new URL('/console/tiers', page.url()).href);
      await loaded(page, 'Tiers');
      const texts: string[] = [];
      page.on('request', (request) => {
        const text = request.postDataJSON()?.variables?.text;
        if (text !== undefined) texts.push(text);
      });
      await page.getByRole('button', { name: 'Search' }).click();
      await dialogOf(page).waitFor();
      // On a busy machine, letters that arrive late would count as typed after a pause.
      await page.clock.pauseAt(Date.now() + 60_000);
      await page.keyboard.type('demo-storefront');
      await page.clock.resume();
      await dialogOf(page).getByRole('option', { name: 'demo-storefront' }).waitFor();
      expect(texts).toEqual(['demo-storefront']);
    });

    it('the search keeps the focus, shows its key, and is accessible in light, in dark and at 390 pixels', async () => {
      const { page } = await visit('/console/');
      await loaded(page, 'Overview');
      const button = page.getByRole('button', { name: 'Search' });
      expect(await button.innerText()).toMatch(/Ctrl K|⌘K/);
      await button.click();
      const dialog = dialogOf(page);
      await dialog.waitFor();
      await page.keyboard.type('demo');
      await dialog
        .getByRole('option', { name: /^demo-/ })
        .first()
        .waitFor();
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await barriersOf(page)).toEqual([]);
      }
      await page.setViewportSize({ width: 390, height: 700 });
      expect(await barriersOf(page)).toEqual([]);
      const { x, width } = (await dialog.boundingBox())!;
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x + width).toBeLessThanOrEqual(390);
      for (let tab = 0; tab < 5; tab++) {
        await page.keyboard.press('Tab');
        // At the end of the dialog, a guard outside it receives the focus first and returns it.
        await eventually(() => dialog.locator(':focus').count()).toBe(1);
      }
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await eventually(() => button.and(page.locator(':focus')).count()).toBe(1);
    });

    it('the search opens from an editor, is listed in the key help, and does not open over another dialog', async () => {
      const { page } = await visit('/console/explorer');
      await loaded(page, 'Explorer');
      await page.getByRole('textbox', { name: 'Operation' }).click();
      await page.keyboard.press('Control+k');
      await dialogOf(page).waitFor();
      await page.keyboard.press('Escape');
      await dialogOf(page).waitFor({ state: 'detached' });
      await page.locator('main').focus();
      await page.keyboard.press('?');
      const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
      await help.getByText('Search', { exact: true }).waitFor();
      expect(await help.locator('dt', { hasText: /^(Ctrl K|⌘K)$/ }).count()).toBe(1);
      await page.keyboard.press('Control+k');
      expect(await dialogOf(page).count()).toBe(0);
      expect(await help.count()).toBe(1);
    });

    it('a failed search shows the error and no result of an earlier text', async () => {
      const { page, complaints } = await visit('/console/tiers');
      await loaded(page, 'Tiers');
      await page.getByRole('button', { name: 'Search' }).click();
      const dialog = dialogOf(page);
      await dialog.waitFor();
      await page.keyboard.type('demo-store');
      await dialog.getByRole('option', { name: 'demo-storefront' }).waitFor();
      await page.route('**/admin/graphql', (route) => route.fulfill({ status: 429, body: THROTTLED }));
      await page.keyboard.type('x');
      await dialog.getByRole('alert').getByText('Too many requests').waitFor();
      expect(await dialog.getByRole('option').count()).toBe(0);
      expect(complaints.splice(0).filter((text) => !text.includes('429'))).toEqual([]);
    });
  });
}

const THROTTLED = JSON.stringify({ errors: [{ message: 'no tokens left', extensions: { code: 'THROTTLED' } }] });
