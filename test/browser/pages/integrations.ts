import { describe, expect, it } from 'vitest';
import { ADMIN_TOKEN } from '../../helpers/platform.js';
import { type ConsoleKit, eventually, loaded } from './console-kit.js';

/** Tests the parts of pages that show which integration asked for decisions. */
export function describeIntegrations({ visit }: ConsoleKit) {
  describe('integrations', () => {
    it('the overview, the denials and the export show which integration and server asked for a decision', async () => {
      const { page } = await visit('/console/denials?range=24h&live=off&integration=api');
      const { origin } = new URL(page.url());
      const decide = async (first: number) => {
        const response = await fetch(`${origin}/v1/decide`, {
          method: 'POST',
          headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
          body: JSON.stringify({
            query: `query Asked { countries(first: ${first}) { name borders { name } } }`,
            subject: { user: 'asked-ann' },
            service: 'python-shop',
          }),
        });
        return ((await response.json()) as { admitted: boolean }).admitted;
      };
      expect(await decide(1)).toBe(true);
      expect(await decide(1_000_000)).toBe(false);

      const single = page.getByRole('region', { name: 'Single denials, newest first' });
      const row = single.getByRole('row', { name: /asked-ann/ });
      await expect
        .poll(
          async () => {
            await page.reload();
            await loaded(page, 'Denials');
            return row.count();
          },
          { interval: 2000 },
        )
        .toBeGreaterThan(0);
      expect(await row.first().innerText()).toMatch(/api\s*python-shop/);
      const chart = page.getByRole('region', { name: 'Denials over time' });
      await eventually(() => chart.getByText(/1 denied, 0 in shadow/).count()).toBe(1);
      // No other caller was denied for a server.
      expect(await single.locator('tbody tr').count()).toBe(1);

      await page.goto(`${origin}/console/?range=1h`);
      await loaded(page, 'Overview');
      const card = page.getByRole('region', { name: 'Decisions for other servers' });
      const api = card.getByRole('row', { name: /^api/ });
      await eventually(() => api.getByRole('cell').nth(3).innerText()).toMatch(/^[1-9]/);
      expect(await api.getByRole('cell').nth(4).innerText()).toBe('1');
      expect(await card.getByRole('row', { name: /Tollgate itself/ }).count()).toBe(1);
      // The column of the current traffic appears with the first live sample.
      await eventually(() => card.getByRole('columnheader', { name: 'Decisions per second' }).count()).toBe(1);

      await page.goto(`${origin}/console/export?range=24h&groupBy=INTEGRATION`);
      await loaded(page, 'Export');
      const preview = page.getByRole('region', { name: 'Preview' });
      await eventually(() => preview.getByRole('row', { name: /api/ }).count()).toBeGreaterThan(0);
    });
  });
}
