import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { createPgDb } from '../../../src/postgres/create-pg-db.js';
import { barriersOf } from '../open-browser.js';
import { type ConsoleKit, eventually, loaded, tabTo } from './console-kit.js';

/** Pages with a time range. */
const PAGES = [
  ['Overview', '/console/'],
  ['Denials', '/console/denials'],
  ['Callers', '/console/callers'],
  ['Operations', '/console/operations'],
  ['Fields', '/console/fields?tab=costs'],
  ['Export', '/console/export'],
] as const;

/** Returns the two moments in the URL of the page. */
function rangeOf(page: Page): number[] {
  return (new URL(page.url()).searchParams.get('range') ?? '').split('~').map((moment) => Date.parse(moment));
}

/** Tests ranges: yesterday, custom, by dragging, and the comparison with the period before. */
export function describeRanges({ visit, databaseUrl }: ConsoleKit & { databaseUrl(): string }) {
  describe('the range with which the overview opens', () => {
    const shownRange = (page: Page) =>
      page.getByRole('combobox', { name: 'Time range' }).locator('option:checked').innerText();

    it('the overview opens with 15 minutes while there is less than an hour of data, and a range in the URL has precedence', async () => {
      const { page } = await visit('/console/');
      await loaded(page, 'Overview');
      await eventually(() => shownRange(page)).toBe('Last 15 minutes');
      // Live updates stay possible, and the default is not written to the URL.
      expect(new URL(page.url()).search).toBe('');
      expect(await page.getByRole('switch', { name: 'Live' }).isEnabled()).toBe(true);
      await page.goto(new URL('/console/?range=1h', page.url()).href);
      await loaded(page, 'Overview');
      expect(await shownRange(page)).toBe('Last hour');
      // The four tiles do not each report that the previous hour is empty.
      expect(await page.getByText(/previous period/).count()).toBe(0);
    });

    it.each([
      ['70 minutes', 'usage_operation_minute', "date_trunc('minute', now() - interval '70 minutes')"],
      ['two days', 'usage_operation_hour', "date_trunc('hour', now() - interval '2 days', 'UTC')"],
    ])('the overview opens with the last hour if there is usage from %s ago', async (_age, table, bucket) => {
      const db = await createPgDb({ url: databaseUrl() });
      try {
        await db.query("select ensure_usage_partitions(now() - interval '3 days', now())");
        await db.query(
          `insert into ${table} (bucket, operation_id, tier, requests, denied, shadow_denied, degraded, estimated_cost, actual_cost, denied_cost)
           select ${bucket}, id, 'range-test', 1, 0, 0, 0, 1, 1, 0 from usage_operations limit 1`,
        );
        const { page } = await visit('/console/', {});
        await loaded(page, 'Overview');
        await eventually(() => shownRange(page)).toBe('Last hour');
      } finally {
        await db.query(`delete from ${table} where tier = 'range-test'`);
        await db.close();
      }
    });
  });

  describe('time ranges', () => {
    it.each(PAGES)('%s can show yesterday and a custom range, which are in its URL', async (title, path) => {
      const { page } = await visit(path);
      await loaded(page, title);
      const picker = page.getByRole('combobox', { name: 'Time range' });
      await picker.selectOption('Yesterday');
      await eventually(async () => new URL(page.url()).searchParams.get('range')).toBe('yesterday');
      await page.reload();
      await loaded(page, title);
      expect(await picker.locator('option:checked').innerText()).toBe('Yesterday');

      await picker.selectOption('Custom range…');
      const dialog = page.getByRole('dialog', { name: 'Custom range' });
      const year = new Date().getFullYear() - 1;
      await dialog.getByLabel('From').fill(`${year}-03-02T10:00`);
      await dialog.getByLabel('To').fill(`${year}-03-02T09:00`);
      await dialog.getByRole('button', { name: 'Apply' }).click();
      await dialog.getByText('The end must be after the start.').waitFor();
      expect(await barriersOf(page)).toEqual([]);
      await dialog.getByLabel('To').fill(`${year}-03-03T10:30`);
      await dialog.getByRole('button', { name: 'Apply' }).click();
      await dialog.waitFor({ state: 'detached' });
      const chosen = [Date.parse(`${year}-03-02T10:00`), Date.parse(`${year}-03-03T10:30`)];
      await eventually(async () => rangeOf(page)).toEqual(chosen);
      await page.reload();
      await loaded(page, title);
      expect(await picker.locator('option:checked').innerText()).toBe(`2 Mar ${year}, 10:00 – 3 Mar ${year}, 10:30`);
    });

    it('a custom range is entered by keyboard', async () => {
      const { page } = await visit('/console/denials');
      await loaded(page, 'Denials');
      await tabTo(page, page.getByRole('combobox', { name: 'Time range' }));
      await page.keyboard.press('c');
      const dialog = page.getByRole('dialog', { name: 'Custom range' });
      await dialog.waitFor();
      await tabTo(page, dialog.getByLabel('From'));
      await page.keyboard.type('01012000');
      await page.keyboard.press('Enter');
      await dialog.getByText('The range can have at most 31 days.').waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    });

    it.each([
      ['Overview', '/console/?range=1h&live=off', /^Admitted tokens per second/],
      ['Denials', '/console/denials?range=1h&live=off', /^Denials over time/],
    ] as const)('dragging over a chart of %s zooms to that range', async (title, path, label) => {
      const { page } = await visit(path);
      await loaded(page, title);
      const plot = page.getByRole('img', { name: label }).locator('.u-over');
      const { x, y, width, height } = (await plot.boundingBox())!;
      await page.mouse.move(x + width / 4, y + height / 2);
      await page.mouse.down();
      await page.mouse.move(x + width / 2, y + height / 2, { steps: 5 });
      await page.mouse.up();
      await eventually(async () => rangeOf(page).length).toBe(2);
      const [from, to] = rangeOf(page) as [number, number];
      // A quarter of an hour, extended to whole minutes.
      expect((to - from) / 60_000).toBeGreaterThanOrEqual(14);
      expect((to - from) / 60_000).toBeLessThanOrEqual(18);
      expect([from % 60_000, to % 60_000]).toEqual([0, 0]);
      await page.goBack();
      await eventually(async () => new URL(page.url()).searchParams.get('range')).toBe('1h');
    });
  });

  describe('the charts of tokens', () => {
    it('admitted and denied tokens have a chart each, so that denied ones do not change the scale of admitted ones', async () => {
      const { page } = await visit('/console/?range=1h&live=off');
      await loaded(page, 'Overview');
      for (const part of ['Admitted', 'Denied']) {
        const chart = page.getByRole('img', { name: new RegExp(`^${part} tokens per second over time`) });
        await chart.locator('canvas').waitFor();
        expect(await page.getByRole('heading', { name: part, level: 3 }).count()).toBe(1);
      }
    });

    it('the overview compares its charts with the period before on demand', async () => {
      const { page } = await visit('/console/?range=15m&live=off');
      await loaded(page, 'Overview');
      const card = page.getByRole('region', { name: 'Tokens per second' });
      const legend = card.locator('.card-aside').getByText('Period before', { exact: true });
      const compare = card.getByRole('button', { name: 'Compare with the period before' });
      expect(await legend.count()).toBe(0);
      await tabTo(page, compare);
      await page.keyboard.press('Enter');
      await legend.waitFor();
      expect(new URL(page.url()).searchParams.get('compare')).toBe('on');
      await card.getByRole('img').first().locator('canvas').waitFor();
      await page.keyboard.press('Enter');
      await eventually(() => legend.count()).toBe(0);
    });
  });
}
