import { describe, expect, it } from 'vitest';
import { violationsOf } from '../open-browser.js';
import { layoutProblems } from '../states/layout-problems.js';
import { askAsPage, type ConsoleKit, eventually, loaded } from './console-kit.js';

/** Tests the pages of operations and of their fields. */
export function describeOperations({ visit }: ConsoleKit) {
  describe('operations and fields', () => {
    it('an operation links to its callers and shows what most of its runs cost', async () => {
      const { page } = await visit('/console/operations');
      await loaded(page, 'Operations');
      const row = page.getByRole('row', { name: /CountryList/ });
      // The cost that 95 of 100 runs do not exceed is computed from the log, which is written a
      // moment later.
      await eventually(async () => {
        await page.reload();
        await loaded(page, 'Operations');
        return (await row.count()) && (await row.getByRole('cell').nth(7).innerText());
      }).toMatch(/^\d+$/);
      await row.getByRole('link', { name: 'CountryList' }).click();
      const callers = page.getByRole('region', { name: 'Callers of this operation' });
      await eventually(() => callers.getByRole('row').count()).toBeGreaterThan(1);
      expect(await page.getByRole('searchbox', { name: 'Operation name' }).inputValue()).toBe('CountryList');
    });

    it('the page shows which operations are registered, by which app and id, and lists only those or the others', async () => {
      const { page } = await visit('/console/operations');
      await loaded(page, 'Operations');
      const table = page.getByRole('region', { name: 'Most tokens' });
      const rowOf = (name: string) => table.getByRole('row', { name: new RegExp(name) });
      await eventually(() => rowOf('CountryList').count()).toBe(1);
      expect(await rowOf('CountryList').innerText()).not.toContain('registered by');
      const text = 'query CountryList { countries(first: 3) { name } }';
      await askAsPage(
        page,
        `mutation { documentVersionPush(input: { app: "listed", version: "3", publish: true, documents: [{ id: "list-3", text: "${text}" }] }) { userErrors { message } } }`,
      );
      await page.reload();
      await loaded(page, 'Operations');
      await eventually(() => rowOf('CountryList').innerText()).toMatch(/registered by listed 3\s+list-3/);
      // The header is one of these rows. Other tests register documents, too.
      const notRegistered = table.getByRole('row').filter({ hasNotText: 'registered by' });
      await eventually(() => notRegistered.count()).toBeGreaterThan(1);
      const documents = page.getByRole('combobox', { name: 'Documents' });
      await documents.selectOption('Registered');
      await page.waitForURL(/documents=registered/);
      await eventually(() => notRegistered.count()).toBe(1);
      expect(await rowOf('CountryList').count()).toBe(1);
      expect(await violationsOf(page)).toEqual([]);
      expect(await layoutProblems(page)).toEqual([]);
      await documents.selectOption('Not registered');
      await eventually(() => rowOf('CountryList').count()).toBe(0);
      await documents.selectOption('All documents');
      await rowOf('CountryList').getByRole('link', { name: 'registered by listed 3' }).click();
      await loaded(page, 'listed 3');
      await askAsPage(
        page,
        'mutation { documentVersionRetire(input: { app: "listed", version: "3", unusedDays: 0 }) { warnings } }',
      );
    });

    it('each field shows its cost, the source of its list size and its rules', async () => {
      const { page } = await visit('/console/fields?field=Country.borders');
      await loaded(page, 'Fields');
      const borders = page.getByRole('row', { name: /Country\.borders/ });
      expect(await borders.innerText()).toMatch(/16\s+1 per object \(default\)\s+16 \(@listSize\)\s+borders-per-user/);
      await page.getByRole('searchbox', { name: 'Begins with' }).fill('Query.countries');
      await page
        .getByRole('row', { name: /Query\.countries / })
        .getByRole('link', { name: 'Explain' })
        .click();
      await loaded(page, 'Explorer');
      await eventually(() => page.getByTestId('cost').textContent()).toMatch(/^\d+$/);
    });

    it('the fields are grouped by type, and are sorted over all pages by what they cost', async () => {
      const { page } = await visit('/console/fields');
      await loaded(page, 'Fields');
      const fields = page.getByRole('region', { name: 'Prices in force' });
      await fields.getByRole('columnheader', { name: 'Country', exact: true }).waitFor();
      const costs = async () =>
        (await fields.locator('tbody tr:not(.table-group) td:nth-child(2)').allInnerTexts()).map((text) =>
          text === 'by parent' ? Number.POSITIVE_INFINITY : Number(text.replace(',', '')),
        );
      expect((await costs()).every((cost) => cost >= 0)).toBe(true);
      await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Most expensive first');
      await eventually(() => fields.locator('.table-group').count()).toBe(0);
      await eventually(async () => {
        const shown = await costs();
        return shown.length > 1 && shown.join() === [...shown].sort((a, b) => b - a).join();
      }).toBe(true);
    });

    it('the field pages show spent tokens and the annotation that would correct a price', async () => {
      const { page } = await visit('/console/fields');
      await loaded(page, 'Fields');
      await page.getByRole('link', { name: 'Cost by field' }).click();
      await eventually(() => page.getByRole('row').count()).toBeGreaterThan(1);
      await page.getByRole('link', { name: 'Inaccurate prices' }).click();
      const drift = page.getByRole('region', { name: 'Estimate vs. actual' });
      await eventually(() => drift.innerText()).toMatch(/@listSize\(assumedSize: \d+\)/);
    });
  });
}
