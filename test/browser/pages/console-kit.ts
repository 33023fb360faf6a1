import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { WatchedPage } from '../open-browser.js';

const MOST_TABS = 150;

/** What the tests of pages share: one platform, one browser, one session. */
export interface ConsoleKit {
  /**
   * A page at a path, logged in as an admin. What it complains of fails the test. With options, be
   * they empty, it is a page of its own with empty caches; without, that which the tests take in
   * turn.
   */
  visit(path: string, options?: BrowserContextOptions): Promise<WatchedPage>;
}

/** What a busy machine does late is no failure. */
export const eventually = <Value>(look: () => Promise<Value>) => expect.poll(look);

/** Until the page has this title and nothing on it is a placeholder any more. */
export async function loaded(page: Page, title: string): Promise<void> {
  await page.getByRole('heading', { name: title, level: 1 }).waitFor();
  await eventually(() => page.locator('.skeleton').count()).toBe(0);
}

/** Asks the administration from the page that is open, with its session or with a token. */
export function askAsPage<Answer>(page: Page, query: string, token?: string): Promise<Answer> {
  return page.evaluate(
    async ({ query, token }) => {
      const response = await fetch('/admin/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
        body: JSON.stringify({ query }),
      });
      return (await response.json()) as Answer;
    },
    { query, token },
  );
}

/** Presses Tab until the control has the focus, as one without a mouse does: what cannot be reached so fails. */
export async function tabTo(page: Page, control: Locator): Promise<void> {
  await control.first().waitFor();
  for (let tab = 0; tab < MOST_TABS; tab++) {
    if ((await control.and(page.locator(':focus')).count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${control} is not reached by ${MOST_TABS} presses of Tab`);
}

/** By the two keys that lead to a page. */
export async function goTo(page: Page, letter: string, title: string): Promise<void> {
  await page.keyboard.press('g');
  await page.keyboard.press(letter);
  await loaded(page, title);
}
