import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ADMIN_TOKEN } from '../../helpers/platform.js';
import { type ConsoleKit, eventually, loaded } from './console-kit.js';

/** Tests the page of exports. */
export function describeExport({ visit }: ConsoleKit) {
  describe('exports', () => {
    it('an export can be chosen, previewed, downloaded completely and repeated with the shown command', async () => {
      const { page } = await visit('/console/export?range=24h');
      await loaded(page, 'Export');
      await page.getByRole('checkbox', { name: 'operation' }).check();
      await page.getByRole('checkbox', { name: 'tier' }).check();
      await page.getByRole('searchbox', { name: 'Operation name' }).fill('CountryList');
      const preview = page.getByRole('region', { name: 'Preview' });
      await eventually(() => preview.getByRole('row', { name: /CountryList/ }).count()).toBeGreaterThan(0);
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download CSV' }).click();
      const file = readFileSync(await (await saved).path(), 'utf8');
      expect(file).toMatch(/^from,to,tier,operationType,operation,requests,/);
      const [, rows] = /# end, (\d+) rows\n$/.exec(file)!;
      const status = page.getByRole('status').filter({ hasText: /Complete/ });
      expect(await status.innerText()).toMatch(new RegExp(`Complete: ${rows} rows?`));
      expect(Number(rows)).toBeGreaterThan(0);

      const line = await page.locator('.command code').innerText();
      const [, address] = /'(\S+)'$/.exec(line)!;
      const answer = await fetch(address!, { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } });
      expect((await answer.text()).split('\n')[0]).toBe(file.split('\n')[0]);
    });

    it('the export page reports an invalid choice', async () => {
      const { page, complaints } = await visit('/console/export?range=30d&bucket=MINUTE');
      await page.getByText(/at most 25 hours for the bucket MINUTE/).waitFor();
      await page.getByRole('button', { name: 'Download CSV' }).click();
      await eventually(() => page.getByText(/at most 25 hours for the bucket MINUTE/).count()).toBe(2);
      expect(complaints.splice(0).filter((text) => !text.includes('400'))).toEqual([]);
    });
  });
}
