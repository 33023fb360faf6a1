import { describe, expect, it } from 'vitest';
import type { TcpProxy } from '../../helpers/tcp-proxy.js';
import { barriersOf, keepScreenshot } from '../open-browser.js';
import { askAsPage, type ConsoleKit, eventually, loaded } from './console-kit.js';

/**
 * Tests the page of health and settings, and the notice on every page while Redis is unavailable.
 */
export function describeHealth({ visit, redis }: ConsoleKit & { redis(): TcpProxy }) {
  describe('the health page', () => {
    it('the health page shows Redis, PostgreSQL, versions and the settings in force with their units', async () => {
      const { page } = await visit('/console/health');
      await loaded(page, 'Health');
      await eventually(() => page.getByText('All systems operational').count()).toBe(1);
      await eventually(() => page.getByRole('region', { name: 'PostgreSQL' }).innerText()).toMatch(/Latency\s+\d+ ms/);
      const redisRegion = page.getByRole('region', { name: 'Redis', exact: true });
      await eventually(() => redisRegion.getByRole('row', { name: /default/ }).innerText()).toMatch(/healthy/);
      const processes = page.getByRole('region', { name: 'Processes' });
      await eventually(() => processes.getByRole('row', { name: /this page/ }).innerText()).toMatch(
        /ready\s+(50|100) %/,
      );
      const settings = page.getByRole('region', { name: 'Settings' });
      await eventually(() => settings.getByRole('row', { name: /denialStatus/ }).innerText()).toMatch(/429/);
      expect(await settings.getByRole('row', { name: /fee/ }).innerText()).toMatch(/1 token$/);
    });

    it('the health page is shown even if data from the database is unavailable', async () => {
      const { page, complaints } = await visit('/console/');
      await page.route('**/admin/graphql', (route) =>
        route.request().postData()?.includes('services')
          ? route.fulfill({ status: 503, json: { errors: [{ message: 'Away', extensions: { code: 'UNAVAILABLE' } }] } })
          : route.continue(),
      );
      await page.getByRole('link', { name: 'Health' }).click();
      await page.getByText('All systems operational').waitFor();
      await page.getByRole('region', { name: 'APIs' }).getByText('Away').waitFor();
      expect(complaints.splice(0).filter((text) => !text.includes('503'))).toEqual([]);
    });

    it('every page shows a banner while Redis is unavailable', async () => {
      const { page } = await visit('/console/rules');
      const banner = page.getByRole('status').filter({ hasText: 'Degraded.' });
      const isWell = async () => {
        const { data } = await askAsPage<{ data: { health: { ok: boolean } } }>(page, '{ health { ok } }');
        return data.health.ok;
      };
      await loaded(page, 'Rules');
      expect(await banner.count()).toBe(0);
      await redis().set({ kind: 'refuse' });
      await eventually(isWell).toBe(false);
      await page.reload();
      await banner.waitFor();
      expect(await banner.innerText()).toMatch(/Redis \(pool default\) has not answered since/);
      expect(await barriersOf(page)).toEqual([]);
      await banner.getByRole('link', { name: 'Health' }).click();
      await loaded(page, 'Health');
      const poolRow = page.getByRole('region', { name: 'Redis' }).getByRole('row', { name: /default/ });
      await eventually(() => poolRow.innerText()).toMatch(/down|recovering/);
      await keepScreenshot(page, 'health-degraded');
      await redis().set({ kind: 'pass' });
      await eventually(isWell).toBe(true);
      await page.goBack();
      await page.reload();
      await loaded(page, 'Rules');
      await eventually(() => banner.count()).toBe(0);
    });
  });
}
