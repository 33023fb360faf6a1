import { describe, expect, it } from 'vitest';
import { type Platform, post } from '../../helpers/platform.js';
import { violationsOf } from '../open-browser.js';
import { layoutProblems } from '../states/layout-problems.js';
import { askAsPage, type ConsoleKit, eventually, loaded } from './console-kit.js';

interface DocumentsKit extends ConsoleKit {
  platform(): Platform;
}

const NAMES = 'query Names { countries(first: 9) { name } }';
const LIST = 'query List($first: Int!) { countries(first: $first) { name } }';
const PLANETS = 'query Planets { planets { name } }';
const PHONE = { viewport: { width: 390, height: 844 } };

/** Returns a mutation that stores and publishes documents under these ids. */
function pushOf(app: string, version: string, documents: Record<string, string>, publish = true): string {
  const list = Object.entries(documents).map(
    ([id, text]) => `{ id: ${JSON.stringify(id)}, text: ${JSON.stringify(text)} }`,
  );
  const input = `app: "${app}", version: "${version}", publish: ${publish}, documents: [${list.join(', ')}]`;
  return `mutation { documentVersionPush(input: { ${input} }) { userErrors { message } } }`;
}

/** Tests the pages of registered documents. */
export function describeDocuments({ visit, platform }: DocumentsKit) {
  describe('documents', () => {
    it('a version is found, published and retired by keyboard, and the history names its author', async () => {
      const { page } = await visit('/console/documents');
      await loaded(page, 'Documents');
      for (const version of ['1.0.0', '1.1.0'])
        await askAsPage(page, pushOf('keyboard', version, { names: NAMES }, version === '1.0.0'));
      await page.reload();
      await loaded(page, 'Documents');
      await page.getByRole('searchbox', { name: 'App or version' }).fill('KEYBOARD');
      const versions = page.getByRole('region', { name: 'Versions' });
      await page.waitForURL(/name=KEYBOARD/);
      await eventually(() => versions.getByRole('row').count()).toBe(3);
      await page.getByRole('combobox', { name: 'State' }).selectOption('pushed');
      await eventually(() => versions.getByRole('row').count()).toBe(2);
      expect(await versions.getByRole('row').nth(1).innerText()).toMatch(/keyboard\s+1\.1\.0\s+pushed\s+1\s+0\s+never/);
      await versions.getByRole('link', { name: '1.1.0' }).focus();
      await page.keyboard.press('Enter');
      await loaded(page, 'keyboard 1.1.0');
      await page.getByRole('button', { name: 'Publish' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
      await page.getByText('keyboard 1.1.0 published').waitFor();
      const facts = page.getByRole('region', { name: 'Version', exact: true });
      await eventually(() => facts.innerText()).toMatch(/published/);
      await page.getByRole('button', { name: 'Retire' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').getByRole('button', { name: 'Retire' }).click();
      await page.getByText('keyboard 1.1.0 retired').waitFor();
      const history = page.getByRole('region', { name: 'Change history' });
      await eventually(() => history.getByRole('row').nth(1).innerText()).toMatch(
        /admin retired the documents of keyboard 1\.1\.0/,
      );
    });

    it('a version in use shows its uses and callers, and is retired only after a second confirmation', async () => {
      const { page } = await visit('/console/documents');
      await loaded(page, 'Documents');
      await askAsPage(page, pushOf('used', '2.0.0', { 'used-names': NAMES }));
      const { url } = platform();
      const send = () => post(`${url}/graphql`, { documentId: 'used-names' }, { 'x-api-key': 'demo-pro' });
      await eventually(async () => (await send()).body.data?.countries?.length).toBe(9);
      // The uses are written every ten seconds.
      const callers = page.getByRole('region', { name: 'Callers, last 30 days' });
      const rows = async () => {
        await page.goto(`${url}/console/documents-of?app=used&version=2.0.0`);
        await loaded(page, 'used 2.0.0');
        return callers.getByRole('row').count();
      };
      await expect.poll(rows, { interval: 1000 }).toBe(2);
      const documents = page.getByRole('region', { name: 'Documents' });
      expect(await documents.getByRole('row').nth(1).innerText()).toMatch(/Names[\s\S]*used-names[\s\S]*\b9\b/);
      await page.getByRole('button', { name: 'Retire' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Retire' }).click();
      await dialog.getByText(/used 2\.0\.0 was used in the last 7 days by /).waitFor();
      await dialog.getByRole('button', { name: 'Retire anyway' }).click();
      await page.getByText('used 2.0.0 retired').waitFor();
      await eventually(async () => (await send()).body.errors?.[0]?.extensions?.code).toBe('DOCUMENT_NOT_FOUND');
    });

    it('a document shows its worst case, the variables without a maximum, or why the schema breaks it', async () => {
      const { page } = await visit('/console/documents', PHONE);
      await loaded(page, 'Documents');
      await askAsPage(page, pushOf('prices', '3', { names: NAMES, list: LIST, planets: PLANETS }, false));
      await page.goto(`${platform().url}/console/documents-of?app=prices&version=3`);
      await loaded(page, 'prices 3');
      const documents = page.getByRole('region', { name: 'Documents' });
      const rowOf = (name: string) => documents.getByRole('row', { name });
      expect(await rowOf('Names').innerText()).toMatch(/names\s+9\s+0\s+never/);
      expect(await rowOf('List').innerText()).toMatch(/unbounded \(\$first\)/);
      expect(await rowOf('Planets').innerText()).toMatch(/Cannot query field "planets" on type "Query"[\s\S]*broken/);
      expect(await layoutProblems(page)).toEqual([]);
      expect(await violationsOf(page)).toEqual([]);
      await page.getByRole('searchbox', { name: 'Operation or id' }).fill('plan');
      await eventually(() => documents.getByRole('row').count()).toBe(2);
      await page.getByRole('combobox', { name: 'Use' }).selectOption('Unused for 30 days');
      await eventually(() => documents.getByRole('row').count()).toBe(2);
      await page.getByRole('searchbox', { name: 'Operation or id' }).fill('names');
      await eventually(() => rowOf('Names').count()).toBe(1);
      await rowOf('Names').getByRole('link', { name: 'Explain' }).click();
      await loaded(page, 'Explorer');
      await eventually(() => page.getByTestId('cost').textContent()).toBe('9');
    });

    it('the page lists the published documents that the schema in force breaks', async () => {
      const { page } = await visit('/console/documents');
      await loaded(page, 'Documents');
      await askAsPage(page, pushOf('outdated', '4', { 'outdated-planets': PLANETS, 'outdated-names': NAMES }));
      await page.reload();
      await loaded(page, 'Documents');
      const broken = page.getByRole('region', { name: 'Broken by the schema in force' });
      const row = broken.getByRole('row', { name: 'outdated' });
      expect(await row.innerText()).toMatch(/outdated\s+4\s+Planets[\s\S]*Cannot query field "planets"/);
      expect(await violationsOf(page)).toEqual([]);
      await row.getByRole('link', { name: '4' }).click();
      await loaded(page, 'outdated 4');
      await askAsPage(
        page,
        'mutation { documentVersionRetire(input: { app: "outdated", version: "4" }) { warnings } }',
      );
    });

    it('a missing version shows the command that pushes it, and no actions', async () => {
      const { page } = await visit('/console/documents-of?app=absent&version=1');
      await page.getByText('No such version').waitFor();
      expect(await page.locator('main code').innerText()).toMatch(/^tollgate documents push /);
      expect(await page.getByRole('button', { name: 'Publish' }).count()).toBe(0);
    });
  });
}
