import { describe, expect, it } from 'vitest';
import { type ConsoleKit, eventually, loaded } from './console-kit.js';

/** Tests actions of users while a response or the network is slow, and the time zone of days. */
export function describePausesAndDays({ visit }: ConsoleKit) {
  describe('filters', () => {
    it('a filter keeps a trailing space during a pause, and the letters typed after it', async () => {
      const { page } = await visit('/console/rules');
      await loaded(page, 'Rules');
      const filter = page.getByRole('searchbox').first();
      await filter.pressSequentially('slow ');
      await eventually(async () => page.url()).toMatch(/=slow(&|$)/);
      expect(await filter.inputValue()).toBe('slow ');
      await filter.pressSequentially('reports');
      await eventually(async () => page.url()).toMatch(/=slow(\+|%20)reports/);
      expect(await filter.inputValue()).toBe('slow reports');
    });
  });

  describe('logging out during a network failure', () => {
    it('a failed logout reports the failure, keeps the session and works once the network is back', async () => {
      const { page, complaints } = await visit('/console/tiers', {});
      await loaded(page, 'Tiers');
      await page.route('**/console/session', (route) => route.abort());
      await page.getByRole('button', { name: 'Log out' }).click();
      await eventually(() => page.getByRole('alert').innerText()).toMatch(
        /Could not log out: .*You are still logged in/,
      );
      expect(await page.getByRole('heading', { name: 'Tiers', level: 1 }).isVisible()).toBe(true);
      // A real logout would end the session of all other tests, so the test responds instead of the
      // server.
      await page.unroute('**/console/session');
      await page.route('**/console/session', (route) => route.fulfill({ status: 204 }));
      await page.getByRole('button', { name: 'Log out' }).click();
      await page.getByRole('heading', { name: 'Log in' }).waitFor();
      expect(complaints.splice(0).filter((text) => !/ERR_FAILED|401/.test(text))).toEqual([]);
    });
  });

  describe('charts and files by day', () => {
    it('a chart by day follows UTC days in every time zone and across clock changes', async () => {
      const dayMs = 86_400_000;
      const today = Math.floor(Date.now() / dayMs) * dayMs;
      const range = [today - 40 * dayMs, today + dayMs].map((ms) => new Date(ms).toISOString()).join('~');
      const marksIn = async (timezoneId: string) => {
        const { page } = await visit('/healthz', { timezoneId });
        await page.addInitScript(KEEP_TEXTS);
        await page.goto(new URL(`/console/?range=${range}`, page.url()).href);
        await loaded(page, 'Overview');
        const texts = () =>
          page.evaluate('globalThis.texts.filter(([text]) => /^\\d+ [A-Z]/.test(text))') as Promise<unknown[]>;
        let before = 0;
        // The charts are drawn one after the other, and again when their size changes.
        const isDrawn = async () => {
          const { length } = await texts();
          const isUnchanged = length > 2 && length === before;
          before = length;
          return isUnchanged;
        };
        await expect.poll(isDrawn, { interval: 500 }).toBe(true);
        return new Set((await texts()).map((one) => JSON.stringify(one)));
      };
      const utc = await marksIn('UTC');
      expect(await marksIn('America/Los_Angeles')).toEqual(utc);
      expect(await marksIn('Pacific/Auckland')).toEqual(utc);
    });

    it('an export by day shows UTC days in another time zone', async () => {
      const { page } = await visit('/console/export?range=30d&bucket=DAY', { timezoneId: 'America/Los_Angeles' });
      await loaded(page, 'Export');
      const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
      const cell = page.getByRole('row').nth(1).getByRole('cell').first();
      const at = await cell.locator('time').getAttribute('datetime');
      expect(await cell.innerText()).toBe(day.format(new Date(at!)));
      expect(at).toMatch(/T00:00:00/);
    });
  });
}

/** Script that records the texts drawn on canvases, with their horizontal positions. */
const KEEP_TEXTS = `globalThis.texts = [];
  const { fillText } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    texts.push([text, Math.round(x)]);
    return fillText.call(this, text, x, y);
  };`;
