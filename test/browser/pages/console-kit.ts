import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { ADMIN_TOKEN, post } from '../../helpers/platform.js';
import type { WatchedPage } from '../open-browser.js';

const MOST_TABS = 150;

/** Resources that the tests of pages share: one platform, one browser, one session. */
export interface ConsoleKit {
  /**
   * Opens a page at a path, logged in as an admin. Any problem of the page fails the test. With
   * options, even empty ones, it is a separate page with empty caches. Without options it is the
   * page that the tests use one after the other.
   */
  visit(path: string, options?: BrowserContextOptions): Promise<WatchedPage>;
}

/** Polls, so that a slow reaction of a busy machine does not fail the test. */
export const eventually = <Value>(look: () => Promise<Value>) => expect.poll(look);

/**
 * Tokens of the administrator with which a test begins. The pages of all tests share one bucket,
 * and a fast machine opens them faster than the bucket refills.
 */
const TOKENS_PER_TEST = 60_000;

/** Waits until the administrator has the tokens for a test. */
export async function untilAffordable(platformUrl: string): Promise<void> {
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
  const available = async () => {
    const { body } = await post(`${platformUrl}/admin/graphql`, '{ __typename }', headers);
    return body.extensions?.cost?.throttleStatus?.currentlyAvailable ?? 0;
  };
  if ((await available()) < TOKENS_PER_TEST) {
    await expect.poll(available, { interval: 500 }).toBeGreaterThan(TOKENS_PER_TEST);
  }
}

/** Waits until the page has this title and no placeholder. */
export async function loaded(page: Page, title: string): Promise<void> {
  await page.getByRole('heading', { name: title, level: 1 }).waitFor();
  await eventually(() => page.locator('.skeleton').count()).toBe(0);
}

/** Sends a query to the admin API from the open page, with its session or with a token. */
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

/**
 * Presses Tab until the control has the focus, like a user without a mouse. An unreachable control
 * fails the test.
 */
export async function tabTo(page: Page, control: Locator): Promise<void> {
  await control.first().waitFor();
  for (let tab = 0; tab < MOST_TABS; tab++) {
    if ((await control.and(page.locator(':focus')).count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${control} is not reached by ${MOST_TABS} presses of Tab`);
}

/** Opens a page with its two-key shortcut. */
export async function goTo(page: Page, letter: string, title: string): Promise<void> {
  await page.keyboard.press('g');
  await page.keyboard.press(letter);
  await loaded(page, title);
}

/**
 * Returns the elements of the page that extend beyond the window, or whose content is cut off or
 * scrolls sideways. Fields of forms scroll their own text, so they are left out.
 */
export function overflowOf(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const elements = (root) =>
      [...root.querySelectorAll('*')].flatMap((one) => [one, ...(one.shadowRoot ? elements(one.shadowRoot) : [])]);
    const isCut = (one) => {
      const { left, right, width, height } = one.getBoundingClientRect();
      if (width === 0 || height === 0 || one.closest('.visually-hidden, .table-static thead, input, select, textarea, svg, .cm-cursorLayer')) return false;
      const cuts = getComputedStyle(one).overflowX !== 'visible' && one.scrollWidth > one.clientWidth + 1;
      return cuts || left < -1 || right > innerWidth + 1;
    };
    return elements(document.querySelector('main')).filter(isCut).map((one) => one.outerHTML.slice(0, 160));
  })()`);
}
