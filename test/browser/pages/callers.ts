import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { type ConsoleKit, eventually, loaded } from './console-kit.js';

const GREEDY = 'demo-greedy-scraper';

/** Tests the pages of denied callers, and of one caller. */
export function describeCallers({
  visit,
  barriersOf,
}: ConsoleKit & { barriersOf(page: Page, what?: 'everything' | 'colours'): Promise<unknown> }) {
  describe('denials', () => {
    it('the explanation of a denial shows its operation, its caller and the denied price', async () => {
      const { page } = await visit(`/console/denials?user=${GREEDY}&live=off`);
      // The caller is denied as soon as its bucket is empty, and the denial is stored a moment
      // later.
      const denial = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'Explain' }) });
      await expect
        .poll(
          async () => {
            await page.reload();
            await loaded(page, 'Denials');
            return denial.count();
          },
          { interval: 1000 },
        )
        .toBeGreaterThan(0);
      const needed = await denial.first().getByRole('cell').nth(4).innerText();
      await denial.first().getByRole('link', { name: 'Explain' }).click();
      await loaded(page, 'Explorer');
      expect(await page.getByRole('textbox', { name: 'Operation' }).innerText()).toMatch(/countries\(first: \d+\)/);
      await eventually(() => page.getByTestId('cost').textContent()).toBe(needed);
      expect(await page.getByLabel('User').inputValue()).toBe(GREEDY);
      await eventually(() => page.getByRole('status').innerText()).toMatch(
        /The denied operation, with values redacted.*The cost is unchanged/,
      );
      expect(await barriersOf(page)).toEqual([]);
    });

    it('the explorer reports when the price differs from that of the denial', async () => {
      const { page } = await visit(`/console/denials?user=${GREEDY}&live=off`);
      await loaded(page, 'Denials');
      const href = await page.getByRole('link', { name: 'Explain' }).first().getAttribute('href');
      // Simulates a denial from before a change of a price.
      await page.goto(new URL(href!.replace(/cost=\d+/, 'cost=1234'), page.url()).href);
      await loaded(page, 'Explorer');
      const cost = page.getByTestId('cost');
      await eventually(() => page.getByRole('status').innerText()).toMatch(
        /Cost at the denial: 1,234 tokens\. Cost now: \d+ tokens/,
      );
      expect(await page.getByRole('status').innerText()).toContain(`Cost now: ${await cost.textContent()} tokens`);
      expect(await barriersOf(page)).toEqual([]);
    });

    it('the explorer reports when the operation of a denial is no longer stored', async () => {
      const { page } = await visit('/console/explorer?document=nothing');
      await loaded(page, 'Explorer');
      await eventually(() => page.getByRole('status').innerText()).toBe('The denied operation is no longer stored.');
    });

    it('a denial links to a larger bucket for its caller with suggested numbers', async () => {
      // Without live updates, another denial does not become the first one meanwhile.
      const { page } = await visit(`/console/denials?user=${GREEDY}&live=off`);
      await loaded(page, 'Denials');
      const single = page.getByRole('region', { name: 'Single denials, newest first' });
      const row = single.getByRole('row', { name: /tier:free/ }).first();
      const needed = Number((await row.getByRole('cell').nth(4).innerText()).replace(',', ''));
      await row.getByRole('link', { name: 'Raise limit' }).click();
      const question = page.getByRole('dialog', { name: 'Custom limit' });
      const capacity = Number(await question.getByLabel('Capacity (tokens)').inputValue());
      expect(capacity).toBeGreaterThanOrEqual(needed);
      expect(await question.innerText()).toContain('The denied operation costs');
    });
  });

  describe('the page of a caller', () => {
    it('the page of a caller shows usage, operations, denials and the changes by administrators', async () => {
      const { page } = await visit(`/console/caller?user=${GREEDY}`);
      await loaded(page, GREEDY);
      const region = (name: string) => page.getByRole('region', { name });
      await eventually(() => region('Tokens per second, last 30 days').innerText()).toMatch(/\d+ requests, \d+ denied/);
      await eventually(() => region('Operations, last 30 days').getByRole('row').count()).toBeGreaterThan(1);
      const denials = region('Recent denials');
      await eventually(() => denials.getByRole('row').count()).toBeGreaterThan(1);
      expect(await denials.innerText()).toContain('This list is a sample');
      await eventually(() => region('Change history').getByRole('row').count()).toBeGreaterThan(1);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await barriersOf(page, colorScheme === 'light' ? 'everything' : 'colours')).toEqual([]);
      }
      for (const width of [1440, 768, 320]) {
        await page.setViewportSize({ width, height: 640 });
        expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      }
      await page.setViewportSize({ width: 1280, height: 720 });
      await denials.getByRole('link', { name: 'All denials' }).click();
      await loaded(page, 'Denials');
      expect(await page.getByRole('searchbox', { name: 'User' }).inputValue()).toBe(GREEDY);
    });

    it('the page of a caller asks for confirmation before it disables the caller, with the safe choice first', async () => {
      const { page } = await visit('/console/caller?user=demo-mobile-app');
      await loaded(page, 'demo-mobile-app');
      await page.getByRole('button', { name: 'Block' }).click();
      const question = page.getByRole('dialog', { name: 'Block this caller?' });
      expect(await question.getByRole('button').allInnerTexts()).toEqual(['Cancel', 'Block']);
      await question.getByRole('button', { name: 'Cancel' }).click();
      await eventually(() => page.getByRole('dialog').count()).toBe(0);
    });
  });
}
