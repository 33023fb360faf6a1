import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { WatchedPage } from '../open-browser.js';

/** What the tests of pages share: one platform, one browser, one session. */
export interface ConsoleKit {
  /** A page of its own at a path, logged in as an admin. What it complains of fails the test. */
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
