import { describe, expect, it } from 'vitest';
import { barriersOf } from '../open-browser.js';
import { askAsPage, type ConsoleKit, eventually, loaded } from './console-kit.js';

/** Tests the page of the tokens of administrators. */
export function describeTokens({ visit }: ConsoleKit) {
  describe('tokens of administrators', () => {
    it('an admin token is created by keyboard, shown once, valid for its role and revoked', async () => {
      const { page } = await visit('/console/tokens');
      await loaded(page, 'Admin tokens');
      await page.getByRole('button', { name: 'New token' }).focus();
      await page.keyboard.press('Enter');
      const form = page.getByRole('dialog', { name: 'New token' });
      await form.getByLabel('Holder').focus();
      await page.keyboard.type('<img src=x onerror=alert(1)>');
      expect(await barriersOf(page)).toEqual([]);
      await page.keyboard.press('Enter');
      const shown = page.getByRole('dialog', { name: 'New admin token' });
      const secret = await shown.locator('.secret').innerText();
      expect(secret.length).toBeGreaterThan(20);
      // A click outside of the dialog must not close it.
      await page.mouse.click(5, 5);
      expect(await shown.isVisible()).toBe(true);
      await shown.getByRole('button', { name: 'Done' }).click();
      expect(await page.content()).not.toContain(secret);

      const viewer = '{ viewer { role } }';
      const role = () => askAsPage<{ data?: { viewer: { role: string } } }>(page, viewer, secret);
      expect((await role()).data?.viewer).toEqual({ role: 'VIEWER' });
      const row = page.getByRole('row', { name: /<img src=x onerror/ });
      await row.getByRole('button', { name: 'Revoke' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      await eventually(() => row.getByText('revoked', { exact: true }).count()).toBe(1);
      expect(await row.getByRole('button').count()).toBe(0);
      await page.getByText('Token of <img src=x onerror=alert(1)> revoked').waitFor();
    });
  });
}
