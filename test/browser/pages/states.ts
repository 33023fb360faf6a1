import { describe, expect, it } from 'vitest';
import { violationsOf } from '../open-browser.js';
import { layoutProblems } from '../states/layout-problems.js';
import { focusProblems } from '../states/walk-by-tab.js';
import { type ConsoleKit, eventually, loaded } from './console-kit.js';

const PHONE = { viewport: { width: 390, height: 844 } };
const ADMIN = '**/admin/graphql';

/**
 * Pages of the default run. `npm run test:states` tests all pages, at more widths and with more
 * rows.
 */
const SOME = [
  ['Callers', 'callers?range=1h'],
  ['Rules', 'rules'],
  ['Health', 'health'],
] as const;

/** Tests some pages on a phone: with data, while they load, after an error, and by keyboard. */
export function describeStates({ visit }: ConsoleKit) {
  describe('pages on a phone', () => {
    it.each(
      SOME,
    )('%s shows each row as a card, whose cells keep their columns for screen readers', async (title, path) => {
      const { page } = await visit(`/console/${path}`, PHONE);
      await loaded(page, title);
      expect(await layoutProblems(page)).toEqual([]);
      expect(await violationsOf(page)).toEqual([]);
      const table = page.getByRole('table').first();
      const columns = await table.getByRole('columnheader').count();
      expect(columns).toBeGreaterThan(1);
      expect(await table.getByRole('row').nth(1).getByRole('cell').count()).toBe(columns);
      expect(await focusProblems(page)).toEqual([]);
    });

    it.each(
      SOME,
    )('%s shows a placeholder, then an error, and keeps the focus when a retry succeeds', async (title, path) => {
      const { page, complaints } = await visit('/healthz', PHONE);
      let fails: (() => void) | undefined;
      const isCut = new Promise<void>((resolve) => {
        fails = resolve;
      });
      await page.route(ADMIN, (route) => isCut.then(() => route.abort()));
      await page.goto(page.url().replace('/healthz', `/console/${path}`));
      await page.getByRole('heading', { name: title, level: 1 }).waitFor();
      await page.getByRole('status', { name: 'Loading' }).first().waitFor();
      expect(await layoutProblems(page)).toEqual([]);
      expect(await violationsOf(page)).toEqual([]);
      fails!();
      const retry = page.locator('main').getByRole('button', { name: 'Retry' });
      await retry.first().waitFor();
      await loaded(page, title);
      expect(await layoutProblems(page)).toEqual([]);
      expect(await violationsOf(page)).toEqual([]);
      await page.unroute(ADMIN);
      await retry.first().focus();
      await page.keyboard.press('Enter');
      await eventually(() => retry.count()).toBe(0);
      await eventually(() => page.evaluate('document.activeElement !== document.body')).toBe(true);
      expect(complaints.splice(0).filter((text) => !text.includes('ERR_FAILED'))).toEqual([]);
    });
  });
}
