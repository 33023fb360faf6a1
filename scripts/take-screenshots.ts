import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { openBrowser } from '../test/browser/open-browser.js';
import { ADMIN_TOKEN, post, startPlatform } from '../test/helpers/platform.js';

// `npm run screenshots`: takes the screenshots of the console for the README and docs/console.md.
// The console shows the demo traffic of `npm start`.

/**
 * Duration of the traffic before the screenshots. It must be long enough for the charts to show a
 * curve.
 */
const TRAFFIC_SECONDS = Number(process.env['TRAFFIC_SECONDS'] ?? 600);
const WIDTH = 1280;
/** Space below the last card, in pixels. */
const MARGIN = 16;

/** A page of which a screenshot is taken. */
interface Picture {
  file: string;
  title: string;
  path: string;
  /** Names of the cards after which the screenshot ends. */
  last: readonly string[];
  /** Resolves when the content that the picture must show is on the page. */
  hasCome(page: Page): Promise<unknown>;
}

const QUERY = `query Neighbors($first: Int) {
  countries(first: $first) {
    name
    borders { name }
  }
}
`;
const EXPLORED = { query: QUERY, variables: '{ "first": 20 }', user: 'demo-mobile-app' };

/**
 * Name of a shadow rule that this script creates before it takes screenshots. It applies to one of
 * the simulated callers. The script also creates a second key of another caller.
 */
const RULE = 'searches-per-tenant';
const CHANGES = `mutation {
  ruleCreate(input: {
    name: "${RULE}", description: "All users of a company together."
    field: "Query.search", scope: TENANT, measure: CALLS, mode: SHADOW
    limits: [{ slidingWindowCounter: { amount: 20, windowMs: 60000 } }]
  }) { userErrors { message } }
  apiKeyCreate(input: { user: "demo-mobile-app", name: "Tablet", comment: "The app for tablets" }) { userErrors { message } }
}`;

const PICTURES: Picture[] = [
  {
    file: 'console.png',
    title: 'Overview',
    path: '?range=15m',
    last: ['Top callers by cost', 'Most denied'],
    hasCome: async (page) => {
      await page.getByRole('link', { name: 'demo-greedy-scraper' }).first().waitFor();
      await page.locator('canvas').first().waitFor();
    },
  },
  {
    file: 'console-explorer.png',
    title: 'Explorer',
    path: `explorer?${new URLSearchParams(EXPLORED)}`,
    last: ['Affordability by tier', 'Check for a caller'],
    hasCome: async (page) => {
      await page.getByRole('cell', { name: /Country\.borders/ }).waitFor();
      await page.getByText(/Tier free: admitted/).waitFor();
    },
  },
  {
    file: 'console-rule.png',
    title: RULE,
    path: `rule?name=${RULE}`,
    last: ['Versions'],
    hasCome: async (page) => {
      await page.getByRole('button', { name: 'Simulate on the last 24 h' }).click();
      await page.getByText(/^If enforced:/).waitFor();
      await page
        .getByRole('region', { name: /^Affected callers/ })
        .getByText('demo-search-box')
        .waitFor();
    },
  },
  {
    file: 'console-caller.png',
    title: 'demo-mobile-app',
    path: 'caller?user=demo-mobile-app',
    last: ['API keys'],
    hasCome: (page) => page.locator('canvas').first().waitFor(),
  },
];

const platform = await startPlatform({ env: { HOST: '127.0.0.1', TOLLGATE_TRAFFIC: 'true' } });
const browser = await openBrowser();
try {
  const link = /http:\/\/\S+#code=\S+/.exec(platform.output())?.[0];
  if (link === undefined) throw new Error('the platform printed no link to its console');
  const { body } = await post(`${platform.url}/admin/graphql`, CHANGES, { authorization: `Bearer ${ADMIN_TOKEN}` });
  if (/"message"/.test(JSON.stringify(body))) throw new Error(`the changes failed: ${JSON.stringify(body)}`);
  const page = await browser.newPage({ colorScheme: 'light' });
  await page.goto(link.replace('localhost', '127.0.0.1'));
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  console.log(`Waiting for ${TRAFFIC_SECONDS} s of the demo's traffic.`);
  await wait(TRAFFIC_SECONDS * 1000);
  for (const picture of PICTURES) await take(page, picture);
} finally {
  await browser.close();
  await platform.stop();
}

async function take(page: Page, { file, title, path, last, hasCome }: Picture): Promise<void> {
  const target = fileURLToPath(new URL(`../docs/${file}`, import.meta.url));
  await page.setViewportSize({ width: WIDTH, height: 800 });
  await page.goto(`${platform.url}/console/${path}`);
  await page.getByRole('heading', { name: title, exact: true }).first().waitFor();
  await hasCome(page);
  // If a placeholder does not disappear, the run fails instead of taking a screenshot of it.
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
  const ends = last.map(async (name) => {
    const box = await page.getByRole('region', { name, exact: true }).first().boundingBox();
    if (box === null) throw new Error(`${title}: the card "${name}" is not visible`);
    return box.y + box.height;
  });
  const height = Math.ceil(Math.max(...(await Promise.all(ends)))) + MARGIN;
  await page.setViewportSize({ width: WIDTH, height });
  // A chart is painted after its data has arrived.
  await wait(500);
  await page.screenshot({ path: target });
  console.log(`Wrote ${target}.`);
}
