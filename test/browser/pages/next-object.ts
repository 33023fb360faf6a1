import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { askAsPage, type ConsoleKit, eventually, loaded } from './console-kit.js';

interface ObjectPage {
  what: string;
  path: string;
  /** Names of the objects that are shown one after the other. */
  names: readonly [string, string];
  /** Mutation that creates an object of this name. Undefined if both objects already exist. */
  create?: (name: string) => string;
  query: string;
  /** Roles and names of controls that change the object, or show that it can be changed. */
  actions: readonly (readonly ['button' | 'combobox' | 'link', string])[];
}

const PAGES: readonly ObjectPage[] = [
  {
    what: 'caller',
    path: '/console/caller?user=',
    names: ['demo-mobile-app', 'demo-greedy-scraper'],
    query: 'StoredCaller',
    actions: [
      ['button', 'Reset quota'],
      ['button', 'Raise limit'],
      ['button', 'Block'],
      ['button', 'New key'],
      ['button', 'Change tier'],
    ],
  },
  {
    what: 'rule',
    path: '/console/rule?name=',
    names: ['shown-first', 'shown-next'],
    create: (name) =>
      `mutation { ruleCreate(input: { name: "${name}", field: "Query.notes", scope: USER, mode: SHADOW, limits: [{ fixedWindow: { amount: 60, windowMs: 60000 } }] }) { rule { id } } }`,
    query: 'RuleInFull',
    actions: [
      ['button', 'Retire'],
      ['link', 'Edit'],
      ['combobox', 'Mode'],
    ],
  },
  {
    what: 'tier',
    path: '/console/tier?name=',
    names: ['free', 'pro'],
    query: 'TierInFull',
    actions: [['link', 'Edit']],
  },
];

/** Tests pages that show one object after another, while the response for the second is slow. */
export function describeNextObject({ visit }: ConsoleKit) {
  describe.each(PAGES)('the page of a $what', ({ path, names: [first, second], create, query, actions }) => {
    it('a page offers no action while its next object loads, because the action would use the version of the previous object', async () => {
      const { page } = await visit('/console/tokens', {});
      if (create) for (const name of [first, second]) await askAsPage(page, create(name));
      await showNext(page, `${path}${first}`);
      await loaded(page, first);
      const shown = () => Promise.all(actions.map(([role, name]) => controlOf(page, role, name).count()));
      const all = actions.map(() => 1);
      await eventually(shown).toEqual(all);

      const answer = await holdAnswer(page, query, second);
      await showNext(page, `${path}${second}`);
      await page.getByRole('heading', { name: second, level: 1 }).waitFor();
      await answer.isAsked;
      expect(await shown()).toEqual(actions.map(() => 0));

      answer.release();
      await eventually(shown).toEqual(all);
    });
  });

  describe('the page of a caller', () => {
    it('a question about the key of a caller disappears when the page moves to another caller', async () => {
      const { page } = await visit('/console/caller?user=demo-mobile-app', {});
      await loaded(page, 'demo-mobile-app');
      await showNext(page, '/console/caller?user=demo-greedy-scraper');
      await loaded(page, 'demo-greedy-scraper');
      await page.getByRole('button', { name: 'Revoke' }).first().click();
      await page.getByRole('dialog', { name: /^Revoke/ }).waitFor();
      await showNext(page, '/console/caller?user=demo-mobile-app');
      await eventually(() => page.getByRole('dialog').count()).toBe(0);
      await loaded(page, 'demo-mobile-app');
    });
  });
}

const controlOf = (page: Page, role: 'button' | 'combobox' | 'link', name: string) =>
  page.getByRole(role, { name, exact: true });

/** Navigates like a link: the console stays loaded. */
async function showNext(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`);
}

/** Delays each query about one object until the test calls `release`. */
async function holdAnswer(page: Page, query: string, name: string) {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let asked = () => {};
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  await page.route('**/admin/graphql', async (route) => {
    const body = route.request().postData() ?? '';
    if (body.includes(`query ${query}(`) && body.includes(`"${name}"`)) {
      asked();
      await released;
    }
    await route.continue();
  });
  return { isAsked, release };
}
