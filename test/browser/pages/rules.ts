import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { type Platform, runToEnd } from '../../helpers/platform.js';
import { barriersOf, keepScreenshot } from '../open-browser.js';
import { askAsPage, type ConsoleKit, eventually, loaded } from './console-kit.js';

const LIMITS = 'limits: [{ slidingWindowCounter: { amount: 60, windowMs: 60000 } }]';
const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] };

function create(page: Page, name: string, rest = ''): Promise<unknown> {
  return askAsPage(
    page,
    `mutation { ruleCreate(input: { name: "${name}", field: "Query.countries", scope: USER, mode: SHADOW, ${LIMITS} ${rest} }) { rule { id } userErrors { message } } }`,
  );
}

function update(page: Page, name: string, change: string): Promise<unknown> {
  return askAsPage(page, `mutation { ruleUpdate(input: { name: "${name}", ${change} }) { userErrors { message } } }`);
}

const copied = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()');

/** Tests the pages of rules: create, simulate, change from two places at once, and restore. */
export function describeRules({
  visit,
  databaseUrl,
  platform,
}: ConsoleKit & { databaseUrl(): string; platform(): Platform }) {
  describe('rules', () => {
    it('concurrent changes of a rule are both kept, and the draft stays until it is discarded', async () => {
      const { page } = await visit('/console/rules');
      await create(page, 'shared-rule');
      const change = () => page.goto(page.url().replace(/console\/.*/, 'console/rule-form?name=shared-rule'));
      await change();
      await loaded(page, 'Edit rule');
      await page.getByLabel('Amount').fill('7');
      await update(page, 'shared-rule', 'description: "Theirs", priority: 50');
      // The refresh on return to the page must not overwrite the text that is being edited.
      await page.evaluate('window.dispatchEvent(new Event("visibilitychange"))');
      await page.getByRole('button', { name: 'Save' }).click();
      const notice = page.getByRole('alert').filter({ hasText: 'Another administrator changed this rule' });
      await eventually(() => notice.innerText()).toMatch(/description: null → "Theirs"/);
      expect(await notice.innerText()).toMatch(/priority: 100 → 50/);
      expect(await notice.innerText()).toMatch(/limits\[0\]\.slidingWindowCounter\.amount: 60 → 7/);
      expect(await page.getByLabel('Amount').inputValue()).toBe('7');
      expect(await barriersOf(page)).toEqual([]);
      await keepScreenshot(page, 'rule-conflict');
      await page.getByRole('button', { name: 'Apply my changes' }).click();
      expect(await page.getByLabel('Description').inputValue()).toBe('Theirs');
      await page.getByRole('button', { name: 'Save' }).click();
      await loaded(page, 'shared-rule');
      await eventually(() => page.getByRole('region', { name: 'Definition' }).innerText()).toMatch(
        /7 tokens per minute per user/,
      );
      expect(await page.locator('.lead').innerText()).toBe('Theirs');

      // The form opens again immediately, and starts with the values that were just saved.
      await page.getByRole('link', { name: 'Edit' }).click();
      await loaded(page, 'Edit rule');
      expect(await page.getByLabel('Amount').inputValue()).toBe('7');
      await page.getByLabel('Amount').fill('8');
      await update(page, 'shared-rule', 'priority: 60');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('button', { name: 'Discard my changes' }).click();
      expect(await page.getByLabel('Amount').inputValue()).toBe('7');
      expect(await page.getByLabel(/^Priority/).inputValue()).toBe('60');
    });

    it('the form of a calendar window has its fields, and its sentence names the period and the overage', async () => {
      const { page } = await visit('/console/rule-form');
      await loaded(page, 'New rule');
      await page.getByLabel('Name', { exact: true }).fill('monthly-plan');
      await page.getByLabel('Type').selectOption('calendarWindow');
      await page.getByLabel('Included amount').fill('1000');
      await page.getByLabel('Time zone').selectOption('America/New_York');
      await page.getByLabel('Starts at').selectOption('SUBJECT');
      await page.getByLabel('Hard cap').fill('1200');
      await eventually(() => page.locator('.rule-sentence').innerText()).toBe(
        'Each user may spend 1,000 tokens per month (America/New_York), from the billing day, overage up to 1,200; operations that need more are counted but not denied.',
      );
      expect(await barriersOf(page)).toEqual([]);
      await page.getByLabel('Hard cap').fill('999');
      await page.getByRole('button', { name: 'Create' }).click();
      await page
        .getByRole('alert')
        .filter({ hasText: 'calendarWindow.hardCap expected a whole number from amount' })
        .waitFor();
      await page.getByLabel('Hard cap').fill('1200');
      await page.getByRole('button', { name: 'Create' }).click();
      await loaded(page, 'monthly-plan');
      expect(await page.getByRole('region', { name: 'Definition' }).innerText()).toContain(
        '1,000 tokens per month per user (America/New_York), from the billing day, overage up to 1,200',
      );
      await askAsPage(page, 'mutation { ruleRetire(input: { name: "monthly-plan" }) { userErrors { message } } }');
    });

    it('a rule shows its versions with their changes and can be restored, even after it was retired', async () => {
      const { page } = await visit('/console/rules');
      await create(page, 'put-back');
      await update(
        page,
        'put-back',
        'newName: "renamed", limits: [{ tokenBucket: { capacity: 9, refillAmount: 1, refillPeriodMs: 1000 } }]',
      );
      await update(page, 'renamed', 'rolloutPercent: 25');
      await page.goto(page.url().replace('rules', 'rule?name=renamed'));
      await loaded(page, 'renamed');
      const versions = page.getByRole('region', { name: 'Versions' });
      expect(await versions.getByRole('row').nth(1).innerText()).toMatch(/^3\s.*rolloutPercent: 100 → 25/s);
      await versions.getByRole('button', { name: 'Restore version 1' }).click();
      const question = page.getByRole('dialog');
      await eventually(() => question.innerText()).toMatch(/name: "renamed" → "put-back"/);
      expect(await barriersOf(page)).toEqual([]);
      await question.getByRole('button', { name: 'Restore' }).click();
      await loaded(page, 'put-back');
      await eventually(() => page.getByRole('region', { name: 'Definition' }).innerText()).toMatch(
        /60 tokens per minute per user/,
      );
      await keepScreenshot(page, 'rule');

      await page.getByRole('button', { name: 'Undo last change' }).click();
      await eventually(() => question.innerText()).toMatch(/rolloutPercent: 100 → 25/);
      await question.getByRole('button', { name: 'Restore' }).click();
      await loaded(page, 'renamed');

      await page.getByRole('button', { name: 'Retire' }).click();
      await question.getByRole('button', { name: 'Retire' }).click();
      await eventually(() => page.locator('.pill', { hasText: 'retired' }).count()).toBe(1);
      await page.getByRole('link', { name: 'Rules', exact: true }).first().click();
      await loaded(page, 'Rules');
      await page.getByRole('combobox', { name: 'State' }).selectOption('Retired');
      await page.getByRole('link', { name: 'renamed' }).click();
      await loaded(page, 'renamed');
      await page.getByRole('button', { name: 'Reactivate' }).click();
      await page.getByRole('button', { name: 'Retire' }).waitFor();
    });

    it('a rule for documents is created in the form, and its page names the documents, apps and versions', async () => {
      const { page } = await visit('/console/rule-form');
      await loaded(page, 'New rule');
      await page.getByLabel('Name').fill('old-apps');
      await page.getByLabel(/^Field/).fill('Query.countries');
      await page.getByText('Advanced').click();
      const documents = page.getByLabel(/^Documents/);
      const apps = page.getByLabel(/^Apps/);
      const versions = page.getByLabel(/^App versions/);
      await documents.selectOption('Registered');
      await apps.fill('web, mobile-*');
      await versions.fill('1.*');
      expect(await page.locator('.rule-sentence').innerText()).toMatch(
        /registered documents.*app web, mobile-\*.*1\.\*/,
      );
      expect(await barriersOf(page)).toEqual([]);
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      // No app with this name has published documents.
      await page.getByRole('button', { name: 'Create anyway' }).click();
      await loaded(page, 'old-apps');
      const definition = page.getByRole('region', { name: 'Definition' });
      await eventually(() => definition.innerText()).toMatch(/registered documents/i);
      expect(await definition.innerText()).toMatch(/web, mobile-\*/);
      expect(await definition.innerText()).toMatch(/1\.\*/);
      await page.getByRole('link', { name: 'Edit' }).click();
      await loaded(page, 'Edit rule');
      expect(await documents.inputValue()).toBe('REGISTERED');
      expect(await apps.inputValue()).toBe('web, mobile-*');
      await documents.selectOption('Not registered');
      await apps.fill('');
      await versions.fill('');
      await page.getByRole('button', { name: 'Save' }).click();
      await loaded(page, 'old-apps');
      const match = '{ rule(name: "old-apps") { match { document apps appVersions } } }';
      expect(await askAsPage(page, match)).toMatchObject({
        data: { rule: { match: { document: 'UNREGISTERED', apps: null, appVersions: null } } },
      });
    });

    it('a rule copied as YAML plans no change, and a rule copied as a mutation creates the same rule', async () => {
      const { page } = await visit('/console/rules', CLIPBOARD);
      const hostile = 'quoted \\"# no\\": yes\\n- <img src=x onerror=alert(1)> \\u202e';
      await create(
        page,
        'copied: #1 "quoted"'.replaceAll('"', '\\"'),
        `description: "${hostile}", rolloutPercent: 12.5, match: { tiers: ["pro"], operationTypes: [QUERY], addresses: ["10.0.0.0/8"] },
         response: { code: "SLOW", status: 420 }, precision: EXACT, onUnavailable: CLOSED`,
      );
      await page.goto(page.url().replace('rules', `rule?${new URLSearchParams({ name: 'copied: #1 "quoted"' })}`));
      await loaded(page, 'copied: #1 "quoted"');
      const facts = page.getByRole('region', { name: 'Definition' });
      await facts.getByRole('button', { name: 'Copy as YAML' }).click();
      const yaml = await copied(page);
      await page.getByRole('button', { name: 'Copy version 1 as YAML' }).click();
      const ofVersion = await copied(page);
      for (const [name, text] of Object.entries({ rule: yaml, version: ofVersion })) {
        const file = join(platform().folder, `${name}.yaml`);
        writeFileSync(file, text);
        const { status, output } = await runToEnd(['rules', 'plan', file], { DATABASE_URL: databaseUrl() });
        expect({ status, output }).toEqual({ status: 0, output: expect.stringMatching(/1 unchanged/) });
      }
      await page.getByRole('button', { name: 'Copy version 1 as GraphQL mutation' }).click();
      const mutation = (await copied(page)).replace('copied: #1', 'copied: #2');
      const made = await askAsPage<{ data: { ruleCreate: { rule: object } } }>(page, mutation);
      expect(made).toMatchObject({ data: { ruleCreate: { userErrors: [], rule: { version: 1 } } } });
      await page.goto(page.url().replace('%231', '%232'));
      await loaded(page, 'copied: #2 "quoted"');
      await page.getByRole('button', { name: 'Copy version 1 as YAML' }).click();
      expect(await copied(page)).toBe(ofVersion.replace('copied: #1', 'copied: #2'));
    });

    it('the hours of a rule can be set and removed in its form, and its page shows whether it applies now', async () => {
      const { page } = await visit('/console/rules');
      await create(page, 'by-hours');
      const form = page.url().replace(/console\/.*/, 'console/rule-form?name=by-hours');
      await page.goto(form);
      await loaded(page, 'Edit rule');
      await page.getByText('Times', { exact: true }).click();
      await page.getByLabel('Only at certain hours').check();
      await page.getByLabel('Sat').uncheck();
      await page.getByLabel('Sun').uncheck();
      await page.getByLabel('From', { exact: true }).fill('22:00');
      await page.getByLabel('To', { exact: true }).fill('06:00');
      await page.getByLabel('Time zone').fill('Europe/Berlln');
      await page.getByLabel('Active from').fill('2999-01-01T00:00');
      expect(await page.locator('.rule-sentence').innerText()).toMatch(/Only Mon–Fri, 22:00–06:00 \(Europe\/Berlln\)/);
      await page.getByRole('button', { name: 'Save' }).click();
      await eventually(() => page.getByRole('alert').allInnerTexts()).toContainEqual(
        expect.stringContaining('did you mean Europe/Berlin?'),
      );
      await page.getByLabel('Time zone').fill('Europe/Berlin');
      expect(await barriersOf(page)).toEqual([]);
      await keepScreenshot(page, 'rule-times');
      await page.getByRole('button', { name: 'Save' }).click();
      await loaded(page, 'by-hours');
      const definition = page.getByRole('region', { name: 'Definition' });
      await eventually(() => definition.innerText()).toMatch(
        /Mon–Fri, 22:00–06:00 \(Europe\/Berlin\), from 1 Jan 2999.*; does not apply now, until/,
      );
      await page.goto(form);
      await loaded(page, 'Edit rule');
      await page.getByLabel('Only at certain hours').uncheck();
      await page.getByLabel('Active from').fill('');
      await page.getByRole('button', { name: 'Save' }).click();
      await loaded(page, 'by-hours');
      await eventually(() => definition.innerText()).not.toMatch(/Times/);
    });

    it('the form of an exemption opens with the address, and creates the rule', async () => {
      const query = 'exempt=192.0.2.7&as=allow%20192.0.2.7&field=Query.countries&measure=CALLS';
      const { page } = await visit(`/console/rule-form?${query}`);
      await loaded(page, 'New rule');
      expect(await page.locator('.rule-sentence').innerText()).toMatch(/exempt.*Only requests from: 192\.0\.2\.7\./);
      await page.getByRole('button', { name: 'Create' }).click();
      await loaded(page, 'allow 192.0.2.7');
    });

    it('a rule is enforced only after its simulated denials were shown', async () => {
      const { page } = await visit('/console/rule-form');
      await loaded(page, 'New rule');
      await page.getByLabel('Name').fill('seen-first');
      await page.getByLabel(/^Field/).fill('Query.countries');
      await page.getByLabel('Measures').selectOption('CALLS');
      await page.getByLabel('Per', { exact: true }).selectOption('GLOBAL');
      await page.getByLabel('Mode').selectOption('ENFORCE');
      await page.getByLabel('Amount').fill('2');
      // The demo traffic is logged a moment after its responses.
      const simulated = async () => {
        await page.getByRole('button', { name: 'Simulate on the last 24 h' }).click();
        await page.getByRole('status').waitFor();
        return page.getByRole('status').innerText();
      };
      await expect.poll(simulated, { interval: 1000 }).toMatch(/If enforced: [1-9][\d,]* of/);
      await page.getByLabel('Amount').fill('1');
      await page.getByRole('button', { name: 'Create' }).click();
      await page.getByRole('button', { name: 'Create anyway' }).waitFor();
      expect(await page.getByRole('status').innerText()).toMatch(/If enforced: [1-9][\d,]* of/);
      expect(await barriersOf(page)).toEqual([]);
      await keepScreenshot(page, 'rule-simulated');
      await page.getByLabel('Mode').selectOption('SHADOW');
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await loaded(page, 'seen-first');
      await page.getByRole('combobox', { name: 'Mode' }).selectOption('ENFORCE');
      let release = () => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route('/admin/graphql', async (route) => {
        if (route.request().postData()?.includes('ruleSimulate')) await released;
        await route.fallback();
      });
      const asked = page.waitForRequest((request) => request.postData()?.includes('ruleSimulate') === true);
      await page.getByRole('button', { name: 'Save' }).click();
      await asked;
      expect(await page.getByRole('button', { name: 'Enforce anyway' }).count()).toBe(0);
      release();
      await page.getByRole('button', { name: 'Enforce anyway' }).waitFor();
      expect(await page.locator('.pill', { hasText: 'shadow' }).count()).toBe(1);
      await page.getByRole('combobox', { name: 'Mode' }).selectOption('OFF');
      await page.getByRole('button', { name: 'Save' }).click();
      await eventually(() => page.locator('.pill', { hasText: 'off' }).count()).toBe(1);
    });

    it('the list of rules shows each limit in words, its denials of the last day, and which rules never apply', async () => {
      const { page } = await visit('/console/rules');
      const input = 'field: "Query.languages", scope: TENANT, measure: CALLS';
      const limits = 'limits: [{ slidingWindowCounter: { amount: 10, windowMs: 60000 } }]';
      await askAsPage(
        page,
        `mutation { ruleCreate(input: { name: "wide-cap", ${input}, ${limits} }) { rule { id } } }`,
      );
      const day = 'limits: [{ tokenBucket: { capacity: 1, refillAmount: 5, refillPeriodMs: 86400000 } }]';
      await askAsPage(
        page,
        `mutation { ruleCreate(input: { name: "narrow-cap", priority: 200, ${input}, ${day} }) { rule { id } } }`,
      );
      // This rule would deny demo traffic. Its shadow denials are counted a moment later.
      const all = 'field: "*", scope: GLOBAL, measure: REQUESTS, mode: SHADOW';
      await askAsPage(
        page,
        `mutation { ruleCreate(input: { name: "few-requests", ${all}, limits: [{ fixedWindow: { amount: 1, windowMs: 60000 } }, { concurrency: { capacity: 2, leaseMs: 60000 } }] }) { rule { id } } }`,
      );
      const row = (name: string) => page.getByRole('row').filter({ hasText: name });
      await eventually(async () => {
        await page.reload();
        await loaded(page, 'Rules');
        return row('few-requests').innerText();
      }).toMatch(
        /1 request per minute for all callers together, clock-aligned and 2 requests at a time for all callers together\s+0\s+[1-9][\d,]*\s/,
      );
      expect(await row('wide-cap').innerText()).toMatch(/10 calls per minute per tenant\s+0\s+0\s/);
      expect(await row('narrow-cap').innerText()).toMatch(/1 call at once per tenant, then 5 per day/);
      expect(await row('narrow-cap').getByText('never applies').count()).toBe(1);
      expect(await row('wide-cap').getByText('never applies').count()).toBe(0);
      expect(await barriersOf(page)).toEqual([]);
      await keepScreenshot(page, 'rules-with-effect');
      await page.getByRole('link', { name: 'narrow-cap' }).click();
      await loaded(page, 'narrow-cap');
      await page
        .getByRole('alert')
        .filter({ hasText: '"wide-cap" (priority 100 before 200) takes its place' })
        .waitFor();
      await askAsPage(page, 'mutation { ruleRetire(input: { name: "few-requests" }) { rule { id } } }');
    });

    it('the form names the rules that a new rule would replace before it is created', async () => {
      const { page } = await visit('/console/rule-form');
      await askAsPage(
        page,
        'mutation { ruleCreate(input: { name: "official-names", field: "Country.officialName", scope: USER, measure: CALLS, limits: [{ slidingWindowCounter: { amount: 10, windowMs: 60000 } }] }) { rule { id } } }',
      );
      await loaded(page, 'New rule');
      await page.getByLabel('Name').fill('official-cap');
      await page.getByLabel(/^Field/).fill('Country.officialName');
      await page.getByLabel('Measures').selectOption('CALLS');
      await page.getByText('Advanced').click();
      await page.getByLabel(/^Priority/).fill('10');
      const notice = page.getByRole('alert').filter({ hasText: 'rule "official-names" would stop applying' });
      await eventually(() => notice.innerText()).toBe(
        'If you enforce this rule:\n\n' +
          'rule "official-names" would stop applying: "official-cap" (priority 10 before 100) takes its place. To keep both, change scope, field or measure. To prefer "official-names", give it a priority below 10.',
      );
      expect(await notice.getAttribute('class')).toBe('notice notice-warn');
      expect(await page.getByRole('button', { name: 'Create', exact: true }).count()).toBe(1);
      expect(await barriersOf(page)).toEqual([]);
      await keepScreenshot(page, 'rule-competing');
      await page.getByLabel('Measures').selectOption('REQUESTS');
      await notice.waitFor({ state: 'detached' });
    });

    it('the form describes the rule in a sentence while it is filled in, and a number can be emptied', async () => {
      const { page } = await visit('/console/rule-form');
      await loaded(page, 'New rule');
      const sentence = page.locator('.rule-sentence');
      expect(await sentence.innerText()).toBe(
        'Each user may spend 60 tokens per minute; operations that need more are counted but not denied.',
      );
      await page.getByLabel(/^Field/).fill('Query.co');
      // The browser shows these options below the field.
      const options = page.locator('datalist option');
      await eventually(() =>
        options.evaluateAll((all) => all.map((one) => (one as unknown as { value: string }).value)),
      ).toEqual(['Query.countries', 'Query.countriesConnection', 'Query.country']);
      await page.getByLabel(/^Field/).fill('Query.search');
      await page.getByLabel('Measures').selectOption('CALLS');
      await page.getByLabel('Mode').selectOption('ENFORCE');
      const amount = page.getByLabel('Amount');
      await amount.fill('');
      expect(await amount.inputValue()).toBe('');
      expect(await sentence.innerText()).toBe(
        'Each user may call Query.search … times per minute; more calls are denied.',
      );
      await amount.press('1');
      await amount.press('0');
      expect(await amount.inputValue()).toBe('10');
      expect(await sentence.innerText()).toBe(
        'Each user may call Query.search 10 times per minute; more calls are denied.',
      );
      const priority = page.getByLabel(/^Priority/);
      expect(await priority.isVisible()).toBe(false);
      await page.getByText('Advanced').click();
      await priority.fill('');
      await page.getByText('Advanced').click();
      expect(await priority.isVisible()).toBe(false);
      await page.getByLabel('Name').fill('search-per-user');
      // The browser can report the empty number only at a visible field, so the console shows it.
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await eventually(() => priority.isVisible()).toBe(true);
      expect(await barriersOf(page)).toEqual([]);
      await keepScreenshot(page, 'rule-form');
    });

    it('a limit on open subscriptions counts each WebSocket separately if its box is checked, and each caller if not', async () => {
      const { page } = await visit('/console/rule-form');
      await loaded(page, 'New rule');
      await page.getByLabel('Name', { exact: true }).fill('per-socket');
      await page.getByLabel('Per', { exact: true }).selectOption('API_KEY');
      await page.getByLabel('Type').selectOption('concurrency');
      await page.getByLabel('Concurrent operations').fill('3');
      const box = page.getByRole('checkbox', { name: 'Count each WebSocket separately' });
      await box.focus();
      await page.keyboard.press('Space');
      expect(await box.isChecked()).toBe(true);
      await page.getByLabel('Measures').selectOption('REQUESTS');
      await page.getByRole('button', { name: 'Create' }).click();
      // Only subscriptions belong to a WebSocket.
      await page.getByRole('alert').filter({ hasText: 'expected the measure SUBSCRIPTIONS, got REQUESTS' }).waitFor();
      await page.getByLabel('Measures').selectOption('SUBSCRIPTIONS');
      await eventually(() => page.locator('.rule-sentence').innerText()).toBe(
        'Each API key may open 3 subscriptions at a time and connection; more subscriptions are counted but not denied.',
      );
      expect(await barriersOf(page)).toEqual([]);
      await page.getByRole('button', { name: 'Create' }).click();
      await loaded(page, 'per-socket');
      const definition = page.getByRole('region', { name: 'Definition' });
      await eventually(() => definition.innerText()).toContain('3 subscriptions at a time per API key and connection');
      await page.getByRole('link', { name: 'Edit' }).click();
      await loaded(page, 'Edit rule');
      await eventually(() => box.isChecked()).toBe(true);
      await box.uncheck();
      await page.getByRole('button', { name: 'Save' }).click();
      await loaded(page, 'per-socket');
      await eventually(() => definition.innerText()).toMatch(
        /3 subscriptions at a time per API key(?! and connection)/,
      );
      await askAsPage(page, 'mutation { ruleRetire(input: { name: "per-socket" }) { userErrors { message } } }');
    });

    it('a rule with a probable mistake causes a warning before it is saved', async () => {
      const { page } = await visit('/console/rule-form');
      await loaded(page, 'New rule');
      await page.getByLabel('Name').fill('misspelt');
      await page.getByLabel(/^Field/).fill('Query.countrys');
      await page.getByRole('button', { name: 'Create' }).click();
      await page.getByRole('alert').filter({ hasText: 'did you mean Query.country?' }).waitFor();
      await page.getByLabel(/^Field/).fill('Query.countries');
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await loaded(page, 'misspelt');
    });
  });
}
