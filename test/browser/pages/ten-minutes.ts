import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { ADMIN_TOKEN, type Answer, type Platform, post } from '../../helpers/platform.js';
import { askAsPage, type ConsoleKit, eventually, goTo, loaded, tabTo } from './console-kit.js';

const CARD = '{ country(code: "SE") { name } }';

/** Moves the focus to a control and presses Enter. */
async function enter(page: Page, control: Locator): Promise<void> {
  await tabTo(page, control);
  await page.keyboard.press('Enter');
}

/** Moves the focus to a field and replaces its text. */
async function write(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.press('Control+a');
  await page.keyboard.type(text);
}

/** Tests the first ten minutes of a new administrator, from the login on, without a mouse. */
export function describeTenMinutes({ visit, platform }: ConsoleKit & { platform(): Platform }) {
  describe('the first ten minutes of a new administrator', () => {
    it('a new administrator can simulate, enforce and undo a rule, create a key and raise a tier by keyboard', async () => {
      const { page, complaints } = await visit('/console/', { storageState: { cookies: [], origins: [] } });
      const button = (name: string) => page.getByRole('button', { name, exact: true });
      await write(page, page.getByLabel('Admin token'), ADMIN_TOKEN);
      await page.keyboard.press('Enter');
      await loaded(page, 'Overview');
      await eventually(() => page.getByText('demo-greedy-scraper').count()).toBeGreaterThan(0);

      // One key press stops the simulated callers, and another starts them again.
      await enter(page, button('Stop demo traffic'));
      await enter(page, button('Start demo traffic'));
      await button('Stop demo traffic').waitFor();

      // The page of denials shows the denied caller, the limit and the amount.
      await goTo(page, 'd', 'Denials');
      // The filter leaves out the shadow denials of other tests.
      const denial = page.getByRole('row', { name: /demo-greedy-scraper/ }).filter({ hasText: 'tier:free' });
      await eventually(() => denial.allInnerTexts()).toContainEqual(expect.stringMatching(/\d+ of [\d,]+/));

      // A new API key of one caller is shown once, and the API accepts it.
      await goTo(page, 'c', 'Callers');
      await enter(page, page.getByRole('link', { name: 'demo-mobile-app' }));
      await loaded(page, 'demo-mobile-app');
      await enter(page, button('New key'));
      await enter(page, page.getByRole('dialog', { name: 'New key' }).getByRole('button', { name: 'Create' }));
      const shown = page.getByRole('dialog', { name: 'New API key' });
      const key = await shown.locator('.secret').innerText();
      await enter(page, shown.getByRole('button', { name: 'Done' }));
      const ask = () => post(`${platform().url}/graphql`, CARD, { 'x-api-key': key });
      const answered = await ask();
      expect(answered.status).toBe(200);

      // A rule is simulated on the recorded operations, saved in shadow mode, and enforced.
      await goTo(page, 'r', 'Rules');
      await enter(page, page.getByRole('link', { name: 'New rule' }));
      await loaded(page, 'New rule');
      await write(page, page.getByLabel('Name', { exact: true }), 'one-country');
      await write(page, page.getByLabel('Field'), 'Query.country');
      await tabTo(page, page.getByLabel('Measures'));
      await page.keyboard.type('calls');
      await write(page, page.getByLabel('Amount'), '1');
      await write(page, page.getByLabel('Window (seconds)'), '3600');
      await enter(page, button('Simulate on the last 24 h'));
      await eventually(() => page.getByRole('status').innerText()).toMatch(/If enforced: [\d,]+ of/);
      await enter(page, button('Create'));
      await loaded(page, 'one-country');
      expect((await ask()).status).toBe(200);
      expect((await ask()).status).toBe(200);
      await tabTo(page, page.getByRole('combobox', { name: 'Mode' }));
      await page.keyboard.type('Enforce');
      await enter(page, button('Save'));
      // The console shows a warning first if the rule would have denied demo traffic.
      const isEnforced = page.locator('.pill', { hasText: 'enforce' });
      await isEnforced.or(button('Enforce anyway')).waitFor();
      if ((await isEnforced.count()) === 0) await enter(page, button('Enforce anyway'));
      await isEnforced.waitFor();
      await eventually(async () => (await ask()).status).toBe(429);

      // The change is undone, and the client is admitted again.
      await enter(page, button('Undo last change'));
      const question = page.getByRole('dialog');
      await eventually(() => question.innerText()).toMatch(/mode: "ENFORCE" → "SHADOW"/);
      await enter(page, question.getByRole('button', { name: 'Restore' }));
      await page.locator('.pill', { hasText: 'shadow' }).waitFor();
      await eventually(async () => (await ask()).status).toBe(200);

      // The capacity of a tier is raised, and the client sees it.
      const capacityOf = ({ body }: Answer): number => body.extensions.cost.throttleStatus.maximumAvailable;
      const before = capacityOf(answered);
      try {
        await goTo(page, 't', 'Tiers');
        await enter(page, page.getByRole('link', { name: 'free' }));
        await loaded(page, 'free');
        await enter(page, page.getByRole('link', { name: 'Edit' }));
        await loaded(page, 'Edit tier');
        await write(page, page.getByLabel('Capacity (tokens)'), String(before + 500));
        await page.keyboard.press('Enter');
        await loaded(page, 'free');
        await eventually(async () => capacityOf(await ask())).toBe(before + 500);
      } finally {
        await askAsPage(page, `mutation { tierUpdate(input: { name: "free", capacity: ${before} }) { tier { id } } }`);
        await askAsPage(page, 'mutation { ruleRetire(input: { name: "one-country" }) { rule { id } } }');
      }
      // The browser reports each rejected request; there is one before the login.
      expect(complaints.splice(0).filter((text) => !text.includes('401'))).toEqual([]);
    });
  });
}
