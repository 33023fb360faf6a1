import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { type Platform, post } from '../../helpers/platform.js';
import { barriersOf } from '../open-browser.js';
import { askAsPage, type ConsoleKit, eventually, loaded, tabTo } from './console-kit.js';

const CARD = '{ country(code: "SE") { name } }';
/** Bucket that hardly refills during a test. */
const SLOW = '{ capacity: 5000, refillAmount: 1, refillPeriodMs: 3600000 }';
const EXPIRY = '2099-01-01T00:00:00.000Z';

interface Stored {
  disabledAt: string | null;
  tier: { name: string } | null;
  override: { capacity: number; expiresAt: string | null } | null;
  apiKeys: { nodes: { name: string; scopes: string[]; expiresAt: string | null }[] };
}

/** Sends an operation to the admin API, which must succeed. */
async function ask<Data>(page: Page, operation: string): Promise<Data> {
  const answer = await askAsPage<{ data: Data; errors?: object[] }>(page, operation);
  expect(answer.errors).toBeUndefined();
  return answer.data;
}

async function storedOf(page: Page, user: string): Promise<Stored | null> {
  const members =
    'disabledAt tier { name } override { capacity expiresAt } apiKeys { nodes { name scopes expiresAt } }';
  return (await ask<{ subject: Stored | null }>(page, `{ subject(user: "${user}") { ${members} } }`)).subject;
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });
const toasts = (page: Page) => page.getByRole('region', { name: 'Notifications' });

/**
 * Tests the actions on the page of a caller: their dialogs, and the toasts that report and undo
 * them.
 */
export function describeCallerChanges({ visit, platform }: ConsoleKit & { platform(): Platform }) {
  /** Opens the page of a caller after storing it. */
  async function open(user: string, members = ''): Promise<Page> {
    const { page } = await visit('/console/tiers');
    await ask(page, `mutation { subjectCreate(input: { user: "${user}" ${members} }) { userErrors { message } } }`);
    await page.goto(`${platform().url}/console/caller?user=${user}`);
    await loaded(page, user);
    return page;
  }
  async function changeTier(page: Page, tier: string): Promise<void> {
    await button(page, 'Change tier').click();
    await dialog(page, 'Change tier').getByLabel('Tier').selectOption(tier);
    await dialog(page, 'Change tier').getByRole('button', { name: 'Change tier' }).click();
    await dialog(page, 'Change tier').waitFor({ state: 'detached' });
  }
  /** Creates a key for a user and sends a request with it. */
  async function sendRequest(page: Page, user: string): Promise<string> {
    const { apiKeyCreate } = await ask<{ apiKeyCreate: { secret: string; apiKey: { id: string } } }>(
      page,
      `mutation { apiKeyCreate(input: { user: "${user}" }) { secret apiKey { id } } }`,
    );
    const answered = await post(`${platform().url}/graphql`, CARD, { 'x-api-key': apiKeyCreate.secret });
    expect(answered.status).toBe(200);
    return apiKeyCreate.apiKey.id;
  }

  describe('changes of a caller', () => {
    it('an operator sets the billing anchor of a caller, undoes the change and removes the anchor', async () => {
      const page = await open('billed');
      const allowance = page.getByRole('region', { name: 'Allowance' });
      const set = async (day: string) => {
        await button(page, 'Billing anchor').click();
        await dialog(page, 'Billing anchor').getByLabel('First day').fill(day);
        await dialog(page, 'Billing anchor').getByRole('button', { name: 'Save' }).click();
        await dialog(page, 'Billing anchor').waitFor({ state: 'detached' });
      };
      await set('2026-01-31');
      await eventually(() => allowance.innerText()).toContain('2026-01-31');
      await set('2026-02-05');
      await eventually(() => allowance.innerText()).toContain('2026-02-05');
      await toasts(page).getByRole('button', { name: 'Undo' }).last().click();
      await eventually(() => allowance.innerText()).toContain('2026-01-31');
      await button(page, 'Billing anchor').click();
      expect(await barriersOf(page)).toEqual([]);
      await dialog(page, 'Billing anchor').getByRole('button', { name: 'Remove' }).click();
      await eventually(() => allowance.innerText()).toMatch(/Billing anchor\s+none/);
    });

    it('the tier changes after a dialog with both buckets, and the toast undoes the change', async () => {
      const page = await open('tier-changes');
      const tierOf = async () => (await storedOf(page, 'tier-changes'))?.tier?.name;
      await button(page, 'Change tier').click();
      const question = dialog(page, 'Change tier');
      expect(await question.getByRole('button', { name: 'Change tier' }).isDisabled()).toBe(true);
      await question.getByLabel('Tier').selectOption('pro');
      const text = await question.innerText();
      expect(text).toMatch(/Before\s+Default tier \(Free\): 1,000 tokens, refills .+\s+After\s+Pro: 20,000 tokens/);
      expect(await barriersOf(page)).toEqual([]);
      await question.getByRole('button', { name: 'Cancel' }).click();
      await question.waitFor({ state: 'detached' });
      expect(await tierOf()).toBeUndefined();

      await changeTier(page, 'pro');
      const message = toasts(page).getByRole('status');
      await eventually(() => message.innerText()).toContain('Tier of tier-changes changed to Pro');
      expect(await tierOf()).toBe('pro');
      // Under the pointer, the toast does not vanish during the check.
      await toasts(page).hover();
      expect(await barriersOf(page)).toEqual([]);
      await toasts(page).getByRole('button', { name: 'Undo' }).click();
      await eventually(() => message.innerText()).toBe('Undone: Tier of tier-changes changed to Pro');
      expect(await tierOf()).toBeUndefined();
    });

    it('undo fails with a message if another administrator has changed the caller meanwhile', async () => {
      const page = await open('changed-twice');
      await changeTier(page, 'pro');
      await toasts(page).waitFor();
      await ask(
        page,
        'mutation { subjectDisable(input: { user: "changed-twice", disabled: true }) { userErrors { message } } }',
      );
      await toasts(page).getByRole('button', { name: 'Undo' }).click();
      await eventually(() => toasts(page).getByRole('alert').innerText()).toMatch(/^Could not undo: ./);
      expect((await storedOf(page, 'changed-twice'))?.tier?.name).toBe('pro');
    });

    it('the quota is reset after a dialog that lists the counters, and the toast offers no undo', async () => {
      const page = await open('reset-caller', `bucket: ${SLOW}`);
      await sendRequest(page, 'reset-caller');
      const used = async () => {
        const query = '{ quota(subject: { user: "reset-caller" }) { limits { rule used } } }';
        const { quota } = await ask<{ quota: { limits: { rule: string; used: number }[] } }>(page, query);
        return quota.limits.find(({ rule }) => rule === 'tier:free')?.used;
      };
      await eventually(used).toBeGreaterThan(0);
      await button(page, 'Reset quota').click();
      const question = dialog(page, 'Reset quota?');
      await eventually(() => question.innerText()).toMatch(/tier:free\s+\d+ of 5,000 used → 0/);
      expect(await barriersOf(page)).toEqual([]);
      await question.getByRole('button', { name: 'Cancel' }).click();
      await question.waitFor({ state: 'detached' });
      expect(await used()).toBeGreaterThan(0);

      await button(page, 'Reset quota').click();
      await question.getByRole('button', { name: 'Reset quota' }).click();
      await eventually(() => toasts(page).getByRole('status').innerText()).toBe('Quota of reset-caller reset');
      expect(await used()).toBe(0);
      expect(await toasts(page).getByRole('button', { name: 'Undo' }).count()).toBe(0);
    });

    it('a key gets a calendar budget, the page shows its period, and a change to a bucket needs a confirmation', async () => {
      const page = await open('budget-holder');
      await button(page, 'New key').click();
      const form = dialog(page, 'New key');
      await form.getByLabel('Budget').selectOption('Calendar period');
      await form.getByLabel('Included amount').fill('5000');
      await form.getByLabel('Time zone').selectOption('Europe/Berlin');
      await form.getByLabel('First day').fill('40');
      await form.getByRole('button', { name: 'Create' }).click();
      await form.getByText('calendar.anchorDay expected a day from 1 to 31, got 40').waitFor();
      expect(await barriersOf(page)).toEqual([]);
      await form.getByLabel('First day').fill('15');
      await form.getByRole('button', { name: 'Create' }).click();
      await dialog(page, 'New API key').getByRole('button', { name: 'Done' }).click();
      const table = page.getByRole('region', { name: 'API keys' });
      await table.getByText('5,000 tokens per month (Europe/Berlin), from day 15').waitFor();
      await table.getByRole('link', { name: /^tg_/ }).click();
      const quota = page.getByRole('region', { name: 'Remaining quota' });
      await eventually(() => quota.innerText()).toMatch(/key:budget\s+5,000 of 5,000[\s\S]+0 of 5,000 used/);
      await page.goBack();
      await table.getByRole('button', { name: 'Edit' }).click();
      const edit = page.getByRole('dialog', { name: /^Edit tg_/ });
      expect(await edit.getByLabel('First day').inputValue()).toBe('15');
      await edit.getByLabel('Budget').selectOption('Token bucket');
      await edit.getByLabel('Capacity (tokens)').fill('500');
      await edit.getByLabel('Refill (tokens)').fill('50');
      await edit.getByRole('button', { name: 'Save' }).click();
      await edit.getByRole('alert').filter({ hasText: 'another counter' }).waitFor();
      await edit.getByRole('button', { name: 'Save anyway' }).click();
      await table.getByText('500 tokens, refills 50 per hour').waitFor();
    });

    it('a key is created with name, expiry and scopes in one dialog, shown once and copied', async () => {
      const page = await open('key-holder');
      const keys = async () => (await storedOf(page, 'key-holder'))?.apiKeys.nodes ?? [];
      await button(page, 'New key').click();
      const form = dialog(page, 'New key');
      expect(await form.innerText()).toMatch(/Holder\s+key-holder/);
      await form.getByRole('button', { name: 'Cancel' }).click();
      await form.waitFor({ state: 'detached' });
      expect(await keys()).toEqual([]);

      await button(page, 'New key').click();
      await form.getByLabel('Name').fill('nightly build');
      await form.getByLabel('Expires in').selectOption('30 days');
      await form.getByLabel('Scopes').fill('read, write');
      expect(await barriersOf(page)).toEqual([]);
      await form.getByRole('button', { name: 'Create' }).click();
      const shown = dialog(page, 'New API key');
      const secret = await shown.locator('.secret').innerText();
      // A click outside of the dialog must not close it.
      await page.mouse.click(5, 5);
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await shown.getByRole('button', { name: 'Copy key' }).click();
      await shown.getByRole('button', { name: 'Copied' }).waitFor();
      expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(secret);
      await shown.getByRole('button', { name: 'Done' }).click();
      await eventually(() => toasts(page).getByRole('status').innerText()).toMatch(/^API key tg_\S+ created$/);
      expect(await page.content()).not.toContain(secret);

      expect(await keys()).toEqual([
        { name: 'nightly build', scopes: ['read', 'write'], expiresAt: expect.any(String) },
      ]);
      const daysLeft = (Date.parse((await keys())[0]!.expiresAt!) - Date.now()) / 86_400_000;
      expect(Math.round(daysLeft)).toBe(30);
      expect((await post(`${platform().url}/graphql`, CARD, { 'x-api-key': secret })).status).toBe(200);
    });

    it('a block and a custom limit are undone by their toasts, with the previous bucket and its expiry', async () => {
      const page = await open('undone-caller', `bucket: ${SLOW}, expiresAt: "${EXPIRY}"`);
      const before = { disabledAt: null, override: { capacity: 5000, expiresAt: EXPIRY } };
      const undo = async (message: string | RegExp) => {
        await toasts(page).getByText(message).waitFor();
        await toasts(page).getByRole('button', { name: 'Undo' }).last().click();
        await toasts(page)
          .getByText(/^Undone: /)
          .last()
          .waitFor();
        await eventually(() => toasts(page).getByRole('button', { name: 'Undo' }).count()).toBe(0);
        expect(await storedOf(page, 'undone-caller')).toMatchObject(before);
      };
      await button(page, 'Block').click();
      await dialog(page, 'Block this caller?').getByRole('button', { name: 'Block' }).click();
      await button(page, 'Unblock').waitFor();
      expect((await storedOf(page, 'undone-caller'))?.disabledAt).not.toBeNull();
      await undo('Caller undone-caller blocked');

      await button(page, 'Raise limit').click();
      const form = dialog(page, 'Custom limit');
      expect(await form.innerText()).toContain('Current limit: 5,000 tokens, refills 1 per hour.');
      await form.getByLabel('Capacity (tokens)').fill('7000');
      await form.getByRole('button', { name: 'Save' }).click();
      await toasts(page).getByText('Custom limit of undone-caller set to 7,000 tokens').waitFor();
      expect((await storedOf(page, 'undone-caller'))?.override).toEqual({ capacity: 7000, expiresAt: EXPIRY });
      await undo('Custom limit of undone-caller set to 7,000 tokens');

      await button(page, 'Raise limit').click();
      await form.getByRole('button', { name: 'Use tier limit' }).click();
      await toasts(page).getByText('Custom limit of undone-caller removed').waitFor();
      expect((await storedOf(page, 'undone-caller'))?.override).toBeNull();
      await undo('Custom limit of undone-caller removed');
    });
  });

  describe('toasts', () => {
    it('a toast vanishes after some seconds, unless it has the focus or the pointer', async () => {
      const { page, complaints } = await visit('/healthz', {});
      await page.clock.install();
      await page.goto(`${platform().url}/console/tiers`);
      await ask(page, 'mutation { subjectCreate(input: { user: "toasted" }) { userErrors { message } } }');
      await page.goto(`${platform().url}/console/caller?user=toasted`);
      await loaded(page, 'toasted');
      await changeTier(page, 'pro');
      const undo = toasts(page).getByRole('button', { name: 'Undo' });
      await undo.waitFor();
      await page.keyboard.press('F6');
      await eventually(() => undo.and(page.locator(':focus')).count()).toBe(1);
      await page.clock.runFor('00:20');
      expect(await undo.count()).toBe(1);
      await page.keyboard.press('F6');
      await eventually(() => button(page, 'Change tier').and(page.locator(':focus')).count()).toBe(1);
      await toasts(page).hover();
      await page.clock.runFor('00:20');
      expect(await undo.count()).toBe(1);
      await page.mouse.move(5, 5);
      await page.clock.runFor('00:11');
      await eventually(() => toasts(page).count()).toBe(0);
      // The page sends the polls of the skipped time in a moment. They may exceed an
      // administrator's budget.
      expect(complaints.splice(0).filter((text) => !text.includes('429'))).toEqual([]);
    });

    it('a toast is undone and closed by keyboard, and the focus returns to the page', async () => {
      const page = await open('by-keyboard');
      await changeTier(page, 'pro');
      // Under the pointer, the toast does not vanish before it is reached.
      await toasts(page).hover();
      await tabTo(page, toasts(page).getByRole('button', { name: 'Undo' }));
      await page.keyboard.press('Enter');
      await toasts(page).getByText('Undone: Tier of by-keyboard changed to Pro').waitFor();
      expect(await page.evaluate<boolean>('document.querySelector("main").contains(document.activeElement)')).toBe(
        true,
      );
      expect((await storedOf(page, 'by-keyboard'))?.tier).toBeNull();
      await page.keyboard.press('F6');
      await eventually(() =>
        toasts(page).getByRole('button', { name: 'Dismiss' }).and(page.locator(':focus')).count(),
      ).toBe(1);
      await page.keyboard.press('Escape');
      await eventually(() => toasts(page).count()).toBe(0);
      expect(await page.evaluate<boolean>('document.querySelector("main").contains(document.activeElement)')).toBe(
        true,
      );
    });
  });

  describe('a caller that does not exist', () => {
    it('the page of a caller that is neither stored nor seen only offers to create the caller', async () => {
      const { page } = await visit('/console/caller?user=never-seen&raise=50');
      await loaded(page, 'never-seen');
      await page.getByText('No such caller', { exact: true }).waitFor();
      const names = await page.locator('main').getByRole('button').allInnerTexts();
      expect(names.filter((name) => name !== '')).toEqual(['Create caller']);
      expect(await page.getByRole('dialog').count()).toBe(0);
      expect(await barriersOf(page)).toEqual([]);
      await button(page, 'Create caller').click();
      const form = dialog(page, 'Create caller');
      await form.getByLabel('Tier').selectOption('pro');
      await form.getByRole('button', { name: 'Create' }).click();
      await toasts(page).getByText('Caller never-seen created').waitFor();
      await button(page, 'Change tier').waitFor();
      expect((await storedOf(page, 'never-seen'))?.tier?.name).toBe('pro');
      expect(await page.getByText('No such caller', { exact: true }).count()).toBe(0);
    });

    it('the page of an address that has sent no request offers no action', async () => {
      const { page } = await visit('/console/caller?ip=192.0.2.77');
      await loaded(page, '192.0.2.77');
      await page.getByText('No such caller', { exact: true }).waitFor();
      const names = await page.locator('main').getByRole('button').allInnerTexts();
      expect(names.filter((name) => name !== '')).toEqual([]);
    });

    it('a caller that is not stored but has sent requests has a page with all its parts', async () => {
      const page = await open('seen-once');
      const key = await sendRequest(page, 'seen-once');
      await ask(page, `mutation { apiKeyRevoke(input: { id: "${key}" }) { userErrors { message } } }`);
      await ask(page, 'mutation { subjectDelete(input: { user: "seen-once" }) { userErrors { message } } }');
      const usage = '{ topCallers(filter: { user: "seen-once" }) { nodes { requests } } }';
      const recorded = async () =>
        (await ask<{ topCallers: { nodes: object[] } }>(page, usage)).topCallers.nodes.length;
      await expect.poll(recorded, { interval: 1000 }).toBe(1);
      await page.reload();
      await loaded(page, 'seen-once');
      await button(page, 'Reset quota').waitFor();
      expect(await storedOf(page, 'seen-once')).toBeNull();
      expect(await page.getByText('No such caller', { exact: true }).count()).toBe(0);
    });
  });
}
