import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { askAsPage, type ConsoleKit, eventually, loaded } from './console-kit.js';

const HOSTILE = [
  '<img src=x onerror="document.title=1">',
  '<script>document.title=1</script>',
  '\u202egnp.evil\u2066',
  '{{constructor.constructor("document.title=1")()}}',
  'javascript:document.title=1',
  `"'><svg onload=document.title=1>`,
  '\u0007\u200b\ufeff',
  'w'.repeat(490),
];
const COUNT = 1000;
const AT_ONCE = 10;

/** Tests that names of callers are shown as text everywhere. */
export function describeHostileNames({ visit }: ConsoleKit) {
  describe('a thousand hostile names', () => {
    it('hostile names are shown as text, run no script, change no text direction and widen no page', async () => {
      const { page, complaints } = await visit('/console/rules');
      await loaded(page, 'Rules');
      for (let from = 0; from < COUNT; from += AT_ONCE) {
        const made = Array.from({ length: AT_ONCE }, (_, at) => {
          const user = JSON.stringify(`${HOSTILE[(from + at) % HOSTILE.length]}${from + at}`);
          return `u${at}: subjectCreate(input: { user: ${user}, tier: "pro" }) { userErrors { message } }`;
        });
        const answer = await askAsPage<{ data: Record<string, { userErrors: object[] }>; errors?: object[] }>(
          page,
          `mutation { ${made.join('\n')} }`,
        );
        expect(answer.errors).toBeUndefined();
        expect(Object.values(answer.data).flatMap(({ userErrors }) => userErrors)).toEqual([]);
      }
      const long = `${'<img src=x onerror="document.title=1">\u202e'.repeat(256)}`;
      const wide = `{ name: "wide", displayName: "${'wide '.repeat(19)}", capacity: 1, refillAmount: 1, refillPeriodMs: 1000 }`;
      await askAsPage(page, `mutation { tierCreate(input: ${wide}) { userErrors { message } } }`);
      await page.setViewportSize({ width: 320, height: 640 });
      for (const [path, title] of [
        ['history', 'History'],
        ['tier?name=pro', 'pro'],
        [`caller?${new URLSearchParams({ user: long.slice(0, 500) })}`, undefined],
        [`caller?${new URLSearchParams({ user: `${HOSTILE[0]}0` })}`, undefined],
        [`callers?${new URLSearchParams({ user: long })}`, 'Callers'],
      ]) {
        await page.goto(page.url().replace(/console\/.*/, `console/${path}`));
        if (title) await loaded(page, title);
        else await page.getByRole('heading', { level: 1 }).waitFor();
        await eventually(() => page.locator('.skeleton').count()).toBe(0);
        const seen = await page.evaluate<{ width: number; text: string; title: string; made: number }>(
          `({ width: document.documentElement.scrollWidth, text: document.body.innerText, title: document.title,
              made: document.querySelectorAll('img, main script, svg[onload]').length })`,
        );
        expect({ path, ...seen, text: undefined }).toMatchObject({ made: 0, title: expect.stringMatching(/Tollgate/) });
        expect(seen.width).toBeLessThanOrEqual(320);
        expect(seen.text).not.toMatch(/[\u202e\u2066]/);
      }
      await searchFor(page, HOSTILE);
      await page.goto(page.url().replace(/console\/.*/, 'console/tier?name=pro'));
      await loaded(page, 'pro');
      const text = await page.locator('main').innerText();
      expect(text).toContain('\\u{202e}gnp.evil');
      expect(text).toContain('<img src=x onerror="document.title=1">');
      // The longest name is rejected, with a message that repeats it.
      expect(complaints.splice(0).filter((one) => !one.includes('400'))).toEqual([]);
    });
  });
}

/** Searches for each name by its beginning. The search must show it as text. */
async function searchFor(page: Page, names: readonly string[]): Promise<void> {
  await page.keyboard.press('Control+k');
  const dialog = page.getByRole('dialog');
  const field = dialog.getByRole('combobox');
  for (const name of names) {
    await field.fill(name);
    await dialog.getByRole('option').first().waitFor();
    expect(await dialog.innerText()).not.toMatch(/[\u202e\u2066\u200b]/);
    expect(await dialog.locator('img, script, svg[onload]').count()).toBe(0);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
  }
  await field.fill('\0\ud800%');
  await dialog.getByText(/^No results/).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
}
