import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { post } from '../../helpers/platform.js';
import { askAsPage, type ConsoleKit, eventually, loaded, tabTo } from './console-kit.js';

const GREEDY = 'demo-greedy-scraper';
const SINGLE = 'Single denials, newest first';

const EXPENSIVE = '{ countries(first: 50) { name borders { name } } }';

/** Denials of one caller by one limit. */
interface Group {
  caller: { user: string | null };
  ruleName: string;
  denied: number;
  operations: { operation: { name: string | null } }[];
}

/** Reads all groups of denials, each with its exact count. */
async function groupsOf(page: Page): Promise<Group[]> {
  const { data } = await askAsPage<{ data: { violations: { nodes: Group[] } } }>(
    page,
    '{ violations { nodes { caller { user } ruleName denied operations { operation { name } } } } }',
  );
  return data.violations.nodes;
}

/** Reads the exact count of the group of the demo scraper, which is denied continually. */
async function countOfGreedy(page: Page): Promise<Group | undefined> {
  const all = await groupsOf(page);
  return all.find(({ caller, ruleName }) => caller.user === GREEDY && ruleName === 'tier:free');
}

/** Sends an operation until a caller is denied. */
async function deny(page: Page, key: string, operation: string): Promise<void> {
  const { origin } = new URL(page.url());
  await eventually(async () => (await post(`${origin}/graphql`, operation, { 'x-api-key': key })).status).toBe(429);
}

/** Polls once a second, because each count is charged to the administrator. */
const seldom = <Value>(look: () => Promise<Value>) => expect.poll(look, { interval: 1000 });

/** Tests the groups of denials, and their chart. */
export function describeDenials({ visit }: ConsoleKit) {
  describe('denials by caller and limit', () => {
    it('denials are grouped by caller and limit with exact counts, and a click on a group filters the single denials', async () => {
      const { page } = await visit('/console/denials?range=24h&live=off');
      // This creates a second group, for a caller who has no other denials.
      await deny(page, 'demo-free', EXPENSIVE);
      await seldom(async () => (await groupsOf(page)).length).toBeGreaterThan(1);
      const before = await countOfGreedy(page);
      await page.reload();
      await loaded(page, 'Denials');
      const after = await countOfGreedy(page);
      const groups = page.getByRole('region', { name: 'Denials by caller and limit' });
      const row = groups.getByRole('row', { name: new RegExp(GREEDY) }).filter({ hasText: 'tier:free' });
      const denied = Number((await row.getByRole('cell').nth(3).innerText()).replaceAll(',', ''));
      expect(denied).toBeGreaterThanOrEqual(before!.denied);
      expect(denied).toBeLessThanOrEqual(after!.denied);
      expect(await row.getByRole('cell').nth(5).innerText()).toMatch(/^\d+(\.\d)?%$|^>99%$/);
      expect(await row.getByRole('cell').nth(6).locator('time').count()).toBe(1);

      await row.getByRole('cell').nth(3).click();
      const single = page.getByRole('region', { name: SINGLE });
      await single.getByText(`Only ${GREEDY}, tier:free`).waitFor();
      await loaded(page, 'Denials');
      await eventually(() => page.locator('[aria-busy="true"]').count()).toBe(0);
      const names = await single.locator('tbody tr').allInnerTexts();
      expect(names.length).toBeGreaterThan(0);
      for (const name of names) expect(name).toMatch(/demo-greedy-scraper[\s\S]*tier:free/);
      expect(await row.getByRole('button', { name: 'Show denials' }).getAttribute('aria-pressed')).toBe('true');
      // The groups and the chart still show everything.
      expect(await groups.locator('tbody tr').count()).toBeGreaterThan(1);
      await single.getByRole('button', { name: 'Show all' }).click();
      await eventually(() => single.getByText('Only').count()).toBe(0);
    });

    it('an operation of a group filters the single denials by keyboard', async () => {
      const { page } = await visit('/console/denials?range=24h&live=off');
      // The test does not use the demo scraper, because only the first of its many denials in a
      // minute are stored.
      const name = 'EveryCountry';
      await deny(page, 'demo-free', `query ${name} ${EXPENSIVE}`);
      const groupOfName = async () =>
        (await groupsOf(page)).find(({ operations }) => operations.some(({ operation }) => operation.name === name));
      await seldom(groupOfName).toBeDefined();
      await page.reload();
      await loaded(page, 'Denials');
      const row = page
        .getByRole('region', { name: 'Denials by caller and limit' })
        .getByRole('row')
        .filter({ hasText: `${name} · ` });
      await tabTo(page, row.getByRole('button', { name: new RegExp(`^${name} · `) }));
      await page.keyboard.press('Enter');
      const single = page.getByRole('region', { name: SINGLE });
      await single.getByText(new RegExp(`^Only .*, tier:free, ${name}$`)).waitFor();
      await eventually(() => page.locator('[aria-busy="true"]').count()).toBe(0);
      for (const row of await single.locator('tbody tr').allInnerTexts()) expect(row).toContain(name);
    });

    it('the chart of denials counts what the admin API counts, and names the period of its points', async () => {
      const { page } = await visit('/console/denials?range=24h&live=off');
      await loaded(page, 'Denials');
      const chart = page.getByRole('img', { name: /^Denials over time: [\d,]+ denied, [\d,]+ in shadow/ });
      await chart.locator('canvas').waitFor();
      const card = page.getByRole('region', { name: 'Denials over time' });
      expect(await card.innerText()).toContain('per hour');
      const [, shown] = /: ([\d,]+) denied/.exec((await chart.getAttribute('aria-label'))!)!;
      const { data } = await askAsPage<{ data: { usage: { nodes: { denied: number }[] } } }>(
        page,
        '{ usage(bucket: HOUR, first: 100) { nodes { denied } } }',
      );
      const total = data.usage.nodes.reduce((sum, { denied }) => sum + denied, 0);
      expect(Number(shown!.replaceAll(',', ''))).toBeGreaterThan(0);
      expect(Number(shown!.replaceAll(',', ''))).toBeLessThanOrEqual(total);
    });
  });
}
