import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { type Platform, post } from '../../helpers/platform.js';
import { barriersOf, keepScreenshot } from '../open-browser.js';
import { layoutProblems } from '../states/layout-problems.js';
import { askAsPage, type ConsoleKit, eventually, loaded } from './console-kit.js';

const TITLE = 'Open subscriptions and WebSockets';
const NO_STREAMS = 'No open subscriptions or WebSockets';

/** Bounds in place of the defaults: ending a stream takes up to two seconds, and a refresh five. */
const patiently = <Value>(look: () => Promise<Value>) => expect.poll(look, { timeout: 60_000 });

interface Feed {
  leave(): void;
  /** Returns the text that the server has sent so far. */
  text(): string;
}

/** Tests the lists of open subscriptions and WebSockets, on the pages of callers and operations. */
export function describeOpenStreams({ visit, platform }: ConsoleKit & { platform(): Platform }) {
  const open: Feed[] = [];
  afterEach(() => {
    for (const { leave } of open.splice(0)) leave();
  });

  /** Creates a key of a new user. */
  async function keyOf(page: Page, user: string, tier = 'pro'): Promise<string> {
    const answer = await askAsPage<{ data: { apiKeyCreate: { secret: string } } }>(
      page,
      `mutation {
        subjectCreate(input: { user: "${user}", tier: "${tier}" }) { userErrors { message } }
        apiKeyCreate(input: { user: "${user}" }) { secret }
      }`,
    );
    return answer.data.apiKeyCreate.secret;
  }

  const send = (key: string, operation: string) =>
    fetch(`${platform().url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', 'x-api-key': key },
      body: JSON.stringify({ query: `subscription ${operation} { noteSaved { text } }` }),
    });

  async function subscribe(key: string, operation: string): Promise<Feed> {
    const response = await send(key, operation);
    expect(response.status).toBe(200);
    const reader = response.body!.getReader();
    let received = '';
    void (async () => {
      for (let step = await reader.read(); !step.done; step = await reader.read()) received += Buffer.from(step.value);
    })().catch(() => {});
    const feed = { leave: () => void reader.cancel().catch(() => {}), text: () => received };
    open.push(feed);
    return feed;
  }

  const save = async (key: string) => {
    const query = 'mutation { noteSave(input: { place: "SWE", text: "Midsummer" }) { note { id } } }';
    const { status } = await post(`${platform().url}/graphql`, query, { 'x-api-key': key });
    expect(status).toBe(200);
  };

  const list = (page: Page) => page.getByRole('region', { name: TITLE });
  const rowOf = (page: Page, operation: string) => list(page).getByRole('row', { name: new RegExp(operation) });
  const focus = (page: Page) => page.locator(':focus');

  describe('open subscriptions', () => {
    it('the page of a caller lists their open subscriptions, and an operator ends one and then all by keyboard', async () => {
      const { page } = await visit('/console/tiers');
      const key = await keyOf(page, 'listening');
      const feeds: Feed[] = [];
      for (const name of ['FirstFeed', 'SecondFeed', 'ThirdFeed', 'FourthFeed']) feeds.push(await subscribe(key, name));
      const [first, second, third, fourth] = feeds as [Feed, Feed, Feed, Feed];
      // A subscription receives only the notes that are saved after it has begun.
      const haveReceived = async () => {
        await save(key);
        return feeds.every(({ text }) => text().includes('Midsummer'));
      };
      await expect.poll(haveReceived, { timeout: 30_000, interval: 2000 }).toBe(true);
      await page.goto(`${platform().url}/console/caller?user=listening`);
      await loaded(page, 'listening');
      await patiently(() => rowOf(page, 'FirstFeed').innerText()).toMatch(
        /Subscription\s+FirstFeed\s+–\s+server-sent events\s+.+\s+[1-9]\d*\s+[1-9]\d*\s+End/,
      );
      expect(await list(page).getByRole('row').count()).toBe(5);
      expect(await list(page).innerText()).toContain('4 open. Processes that reported: 1.');
      expect(await barriersOf(page)).toEqual([]);
      await keepScreenshot(page, 'caller-open-subscriptions');

      // A row above disappears. The button keeps the focus.
      const end = rowOf(page, 'ThirdFeed').getByRole('button', { name: 'End' });
      await end.focus();
      first.leave();
      await patiently(() => rowOf(page, 'FirstFeed').count()).toBe(0);
      expect(await end.and(focus(page)).count()).toBe(1);

      await page.keyboard.press('Enter');
      const question = page.getByRole('dialog', { name: 'End this subscription?' });
      await eventually(() => question.innerText()).toMatch(/Operation\s+ThirdFeed\s+Caller\s+listening/);
      expect(await question.getByRole('button').allInnerTexts()).toEqual(['Cancel', 'End']);
      expect(await barriersOf(page)).toEqual([]);
      await question.getByRole('button', { name: 'End' }).focus();
      await page.keyboard.press('Enter');
      await question.waitFor({ state: 'detached' });
      await page.getByText('A subscription of listening was ended').waitFor();
      await patiently(async () => third.text()).toContain('ENDED_BY_ADMINISTRATOR');
      await patiently(() => rowOf(page, 'ThirdFeed').count()).toBe(0);
      // The focus moves to the list, because its row is gone.
      await eventually(() => list(page).locator(':focus').count()).toBe(1);
      expect(second.text() + fourth.text()).not.toContain('ENDED_BY_ADMINISTRATOR');

      const endAll = list(page).getByRole('button', { name: 'End all' });
      await endAll.focus();
      await page.keyboard.press('Enter');
      const all = page.getByRole('dialog', { name: 'End all subscriptions and WebSockets of listening?' });
      await eventually(() => all.innerText()).toContain('2 open now.');
      await all.getByRole('button', { name: 'End all' }).focus();
      await page.keyboard.press('Enter');
      await page.getByText('Subscriptions and WebSockets of listening were ended: 2').waitFor();
      await list(page).getByText(NO_STREAMS).waitFor();
      for (const feed of [second, fourth]) await patiently(async () => feed.text()).toContain('ENDED_BY_ADMINISTRATOR');
      expect(await endAll.and(focus(page)).count()).toBe(1);
      expect(await endAll.getAttribute('aria-disabled')).toBe('true');
      const history = page.getByRole('region', { name: 'Change history' });
      await eventually(() => history.innerText()).toMatch(/ended/);
    });

    it('the page of operations lists the open subscriptions of one operation with their callers, also as cards on a phone', async () => {
      const { page } = await visit('/console/tiers');
      const key = await keyOf(page, 'watching');
      await subscribe(key, 'WatchedFeed');
      await subscribe(key, 'OtherFeed');
      await page.setViewportSize({ width: 390, height: 844 });
      await page.goto(`${platform().url}/console/operations?operation=WatchedFeed`);
      await loaded(page, 'Operations');
      await patiently(() => rowOf(page, 'WatchedFeed').count()).toBe(1);
      expect(await list(page).getByRole('row').count()).toBe(2);
      expect(await list(page).getByRole('button', { name: 'End all' }).count()).toBe(0);
      expect(await layoutProblems(page)).toEqual([]);
      expect(await barriersOf(page)).toEqual([]);
      await rowOf(page, 'WatchedFeed').getByRole('link', { name: 'watching' }).click();
      await loaded(page, 'watching');
      await patiently(() => list(page).getByRole('row').count()).toBe(3);
    });

    it('a denied subscription is listed with its name and the unit of its limit, and usage lists those that began', async () => {
      const { page } = await visit('/console/tiers');
      const key = await keyOf(page, 'limited', 'free');
      for (const name of ['BegunFeed', 'BegunFeed']) await subscribe(key, name);
      expect((await send(key, 'DeniedFeed')).status).toBe(429);
      // Usage is stored a moment later.
      const denial = page.getByRole('region', { name: 'Recent denials' }).getByRole('row', { name: /DeniedFeed/ });
      const shown = async () => {
        await page.goto(`${platform().url}/console/caller?user=limited`);
        await loaded(page, 'limited');
        return (await denial.count()) > 0 && denial.innerText();
      };
      await expect
        .poll(shown, { timeout: 60_000, interval: 1000 })
        .toMatch(/open-subscriptions-per-user\s+DeniedFeed\s*subscription\s+1 subscription\s+0 of 2 subscriptions/);
      const used = page.getByRole('region', { name: 'Operations, last 30 days' });
      await eventually(() => used.innerText()).toMatch(/BegunFeed[\s\S]+start and its events/);
      expect(await barriersOf(page)).toEqual([]);
    });

    it('a subscription that ended meanwhile is reported in the dialog', async () => {
      const { page } = await visit('/console/tiers');
      const feed = await subscribe(await keyOf(page, 'leaving'), 'LeftFeed');
      await page.goto(`${platform().url}/console/caller?user=leaving`);
      await loaded(page, 'leaving');
      await patiently(() => rowOf(page, 'LeftFeed').count()).toBe(1);
      await rowOf(page, 'LeftFeed').getByRole('button', { name: 'End' }).click();
      const question = page.getByRole('dialog', { name: 'End this subscription?' });
      await question.waitFor();
      feed.leave();
      // The page refreshes behind the dialog, where it has no roles.
      await page.getByText(NO_STREAMS).waitFor();
      await question.getByRole('button', { name: 'End' }).click();
      await eventually(() => question.getByRole('alert').innerText()).toContain('it may have ended');
      await question.getByRole('button', { name: 'Cancel' }).click();
      await question.waitFor({ state: 'detached' });
    });

    it('a viewer sees open subscriptions without a button that ends them, and a failed request with a button to retry', async () => {
      const { page, complaints } = await visit('/console/tiers', {});
      const key = await keyOf(page, 'viewed');
      await subscribe(key, 'ViewedFeed');
      await page.route('**/console/session', async (route) => {
        const answer = await route.fetch();
        await route.fulfill({ json: { ...(await answer.json()), role: 'VIEWER' } });
      });
      let isCut = true;
      await page.route('**/admin/graphql', (route) =>
        isCut && route.request().postData()?.includes('openStreams') ? route.abort() : route.continue(),
      );
      await page.goto(`${platform().url}/console/caller?user=viewed`);
      const retry = list(page).getByRole('button', { name: 'Retry' });
      await retry.waitFor();
      isCut = false;
      await retry.click();
      await patiently(() => rowOf(page, 'ViewedFeed').count()).toBe(1);
      expect(await list(page).getByRole('button', { name: /^End/ }).count()).toBe(0);
      expect(complaints.splice(0).filter((text) => !text.includes('ERR_FAILED'))).toEqual([]);
    });
  });
}
