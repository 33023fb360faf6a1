import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { askAsPage, type ConsoleKit, eventually, loaded, tabTo } from './console-kit.js';

const GREEDY = 'demo-greedy-scraper';
const SINGLE = 'Single denials, newest first';

interface CountedAnswer {
  data: {
    violations: {
      nodes: { denied: number; lastAt: string; operations: { operation: { name: string }; stored: number }[] }[];
    };
  };
}

/** Reads the exact count of the group of the demo caller, who is denied all the time. */
async function countOfGreedy(page: Page): Promise<CountedAnswer['data']['violations']['nodes'][number]> {
  const { data } = await askAsPage<CountedAnswer>(
    page,
    `{ violations(filter: { user: "${GREEDY}", rule: "tier:free" }) { nodes { denied lastAt operations { operation { name } stored } } } }`,
  );
  return data.violations.nodes[0]!;
}

/** Tests the groups of denials, and their chart. */
export function describeDenials({ visit }: ConsoleKit) {
  describe('denials by caller and limit', () => {
    it('denials are grouped by caller and limit with exact counts, and a click on a group filters the single denials', async () => {
      const { page } = await visit('/console/denials?range=24h&live=off');
      await eventually(async () => (await countOfGreedy(page))?.denied ?? 0).toBeGreaterThan(0);
      const before = await countOfGreedy(page);
      await page.reload();
      await loaded(page, 'Denials');
      const after = await countOfGreedy(page);
      const groups = page.getByRole('region', { name: 'Denials by caller and limit' });
      const row = groups.getByRole('row', { name: new RegExp(GREEDY) }).filter({ hasText: 'tier:free' });
      const denied = Number((await row.getByRole('cell').nth(3).innerText()).replaceAll(',', ''));
      expect(denied).toBeGreaterThanOrEqual(before.denied);
      expect(denied).toBeLessThanOrEqual(after.denied);
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
      await eventually(async () => (await countOfGreedy(page))?.operations.length ?? 0).toBeGreaterThan(0);
      await page.reload();
      await loaded(page, 'Denials');
      const [first] = (await countOfGreedy(page)).operations;
      const { name } = first!.operation;
      const row = page
        .getByRole('region', { name: 'Denials by caller and limit' })
        .getByRole('row', { name: new RegExp(GREEDY) })
        .filter({ hasText: 'tier:free' });
      await tabTo(page, row.getByRole('button', { name: new RegExp(`^${name} · `) }));
      await page.keyboard.press('Enter');
      const single = page.getByRole('region', { name: SINGLE });
      await single.getByText(`Only ${GREEDY}, tier:free, ${name}`).waitFor();
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
