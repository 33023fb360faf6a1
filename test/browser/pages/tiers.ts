import { describe, expect, it } from 'vitest';
import { barriersOf } from '../open-browser.js';
import { askAsPage, type ConsoleKit, eventually, loaded } from './console-kit.js';

/** Tests the pages of tiers, also with a change by another administrator at the same time. */
export function describeTiers({ visit }: ConsoleKit) {
  describe('tiers', () => {
    it('a tier can be created and retired by keyboard, and mistakes are shown at their fields', async () => {
      const { page } = await visit('/console/tiers');
      await loaded(page, 'Tiers');
      await page.getByRole('link', { name: 'New tier' }).focus();
      await page.keyboard.press('Enter');
      await loaded(page, 'New tier');
      await page.getByLabel('Name', { exact: true }).focus();
      await page.keyboard.type('my tier');
      await page.keyboard.press('Enter');
      const name = page.getByRole('textbox', { name: 'Name', exact: true });
      await eventually(() => name.getAttribute('aria-invalid')).toBe('true');
      expect(await barriersOf(page)).toEqual([]);
      await name.fill('bronze');
      await page.getByLabel('Monthly price').fill('4.90');
      await page.getByLabel('Capacity (tokens)').fill('600');
      await page.getByLabel('Refill (tokens)').fill('60');
      await eventually(() => page.getByRole('status').innerText()).toMatch(/60 per minute, full in 10 min/);
      await page.keyboard.press('Enter');
      await loaded(page, 'bronze');
      await page.getByText('Tier bronze created').waitFor();
      expect(await page.getByRole('region', { name: 'Definition' }).innerText()).toMatch(/\$4\.90 per month/);
      await page.getByRole('button', { name: 'Retire' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').getByRole('button', { name: 'Retire' }).click();
      await loaded(page, 'Tiers');
      await eventually(() => page.getByRole('link', { name: 'bronze' }).count()).toBe(0);
      await page.getByText('Tier bronze retired').waitFor();
    });

    it('an admin adds a budget to a tier and removes it, and the form shows a mistake in the budget', async () => {
      const { page } = await visit('/console/tier-form');
      await loaded(page, 'New tier');
      await page.getByLabel('Name', { exact: true }).fill('budgeted');
      await page.getByLabel('Limit the tokens of each period of the calendar').check();
      const budget = page.getByRole('region', { name: 'Budget' });
      await budget.getByLabel('Included amount').fill('5000');
      await budget.getByLabel('Every').selectOption('WEEK');
      await budget.getByLabel('Time zone').selectOption('Europe/Berlin');
      await budget.getByLabel('First day').fill('8');
      await budget.getByLabel('Hard cap').fill('6000');
      await eventually(() => budget.getByRole('status').innerText()).toBe(
        '5,000 tokens per week (Europe/Berlin), from day 8, overage up to 6,000',
      );
      await page.getByRole('button', { name: 'Create' }).click();
      await eventually(() => budget.getByRole('alert').innerText()).toMatch(
        /anchorDay expected a day from 1 \(Monday\)/,
      );
      expect(await barriersOf(page)).toEqual([]);
      await budget.getByLabel('First day').fill('3');
      await page.getByRole('button', { name: 'Create' }).click();
      await loaded(page, 'budgeted');
      const definition = page.getByRole('region', { name: 'Definition' });
      expect(await definition.innerText()).toContain(
        '5,000 tokens per week (Europe/Berlin), from day 3, overage up to 6,000',
      );
      await page.getByRole('link', { name: 'Edit' }).click();
      await loaded(page, 'Edit tier');
      expect(await budget.getByLabel('First day').inputValue()).toBe('3');
      await page.getByLabel('Limit the tokens of each period of the calendar').uncheck();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('button', { name: 'Save anyway' }).click();
      await loaded(page, 'budgeted');
      await eventually(() => definition.innerText()).toMatch(/Budget\s+none/);
      await askAsPage(page, 'mutation { tierRetire(input: { name: "budgeted" }) { userErrors { message } } }');
    });

    it('an admin creates an unlimited tier, reloads it, and gives it a bucket', async () => {
      const { page } = await visit('/console/tier-form');
      await loaded(page, 'New tier');
      await page.getByLabel('Name', { exact: true }).fill('open');
      const unlimited = page.getByLabel('Unlimited: no bucket');
      await unlimited.check();
      expect(await page.getByLabel('Capacity (tokens)').count()).toBe(0);
      expect(await barriersOf(page)).toEqual([]);
      await page.getByRole('button', { name: 'Create' }).click();
      await loaded(page, 'open');
      const bucketOf = async () => {
        const query = '{ tier(name: "open") { capacity refillAmount refillPeriodMs } }';
        return (await askAsPage<{ data: { tier: unknown } }>(page, query)).data.tier;
      };
      expect(await bucketOf()).toEqual({ capacity: null, refillAmount: null, refillPeriodMs: null });
      await page.getByRole('link', { name: 'Edit' }).click();
      await loaded(page, 'Edit tier');
      await page.reload();
      await loaded(page, 'Edit tier');
      expect(await unlimited.isChecked()).toBe(true);
      await unlimited.uncheck();
      await page.getByLabel('Capacity (tokens)').fill('700');
      await page.getByLabel('Refill (tokens)').fill('70');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('alert').filter({ hasText: 'the callers of this tier get a bucket' }).waitFor();
      await page.getByRole('button', { name: 'Save anyway' }).click();
      await loaded(page, 'open');
      expect(await bucketOf()).toEqual({ capacity: 700, refillAmount: 70, refillPeriodMs: 60_000 });
      await page.getByRole('link', { name: 'Edit' }).click();
      await loaded(page, 'Edit tier');
      expect(await unlimited.isChecked()).toBe(false);
      await askAsPage(page, 'mutation { tierRetire(input: { name: "open" }) { userErrors { message } } }');
    });

    it('concurrent changes of a tier are both kept, and the form shows the change of the other administrator', async () => {
      const { page } = await visit('/console/tier-form?name=pro');
      await loaded(page, 'Edit tier');
      await page.getByLabel('Refill (tokens)').fill('501');
      await page.getByLabel('Capacity (tokens)').fill('19999');
      await askAsPage(page, 'mutation { tierUpdate(input: { name: "pro", displayName: "Profi" }) { tier { id } } }');
      await page.getByRole('button', { name: 'Save' }).click();
      const notice = page.getByRole('alert').filter({ hasText: 'Another administrator changed' });
      await eventually(() => notice.innerText()).toMatch(/displayName: "Pro" → "Profi"/);
      await page.getByRole('button', { name: 'Apply my changes' }).click();
      expect(await page.getByLabel('Display name').inputValue()).toBe('Profi');
      await page.getByRole('button', { name: 'Save' }).click();
      // A change that may be a mistake causes a warning before it is saved.
      await page.getByRole('alert').filter({ hasText: 'the bucket gets smaller' }).waitFor();
      await page.getByRole('button', { name: 'Save anyway' }).click();
      await loaded(page, 'pro');
      await page.getByText('Tier pro updated').waitFor();
      await eventually(() => page.getByRole('region', { name: 'Definition' }).innerText()).toMatch(/501 per second/);
      expect(await page.locator('.lead').innerText()).toBe('Tier "Profi"');
      const before = '{ name: "pro", displayName: "Pro", refillAmount: 500, capacity: 20000 }';
      await askAsPage(page, `mutation { tierUpdate(input: ${before}) { tier { id } } }`);
    });

    it('a viewer sees no controls that change tiers', async () => {
      const { page } = await visit('/console/tiers');
      await page.route('**/console/session', async (route) => {
        const answer = await route.fetch();
        await route.fulfill({ json: { ...(await answer.json()), role: 'VIEWER' } });
      });
      await page.reload();
      await loaded(page, 'Tiers');
      expect(await page.getByRole('link', { name: /New tier|Admin tokens/ }).count()).toBe(0);
      await page.getByRole('link', { name: 'free' }).click();
      await loaded(page, 'free');
      expect(await page.getByRole('link', { name: 'Edit' }).count()).toBe(0);
      // A viewer also sees no command for which they have no permission.
      await page.goto(page.url().replace(/console\/.*/, 'console/rules?name=nobody'));
      await page.getByText('No rules', { exact: true }).waitFor();
      expect(await page.getByText('rules apply').count()).toBe(0);
    });
  });
}
