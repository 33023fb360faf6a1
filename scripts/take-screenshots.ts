import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openBrowser } from '../test/browser/open-browser.js';
import { startPlatform } from '../test/helpers/platform.js';

// `npm run screenshots`: the picture at the top of the README, of the console with the demo's traffic, as `npm start` shows it.

const PICTURE = fileURLToPath(new URL('../docs/console.png', import.meta.url));
/** Long enough for the curves to have a shape. */
const TRAFFIC_SECONDS = Number(process.env['TRAFFIC_SECONDS'] ?? 300);

const platform = await startPlatform({ env: { HOST: '127.0.0.1', TOLLGATE_TRAFFIC: 'true' } });
const browser = await openBrowser();
try {
  const link = /http:\/\/\S+#code=\S+/.exec(platform.output())?.[0];
  if (link === undefined) throw new Error('the platform printed no link to its console');
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, colorScheme: 'light' });
  await page.goto(link.replace('localhost', '127.0.0.1'));
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.getByRole('combobox').first().selectOption('15m');
  console.log(`Watching the demo's traffic for ${TRAFFIC_SECONDS} s.`);
  await wait(TRAFFIC_SECONDS * 1000);
  await page.screenshot({ path: PICTURE });
  console.log(`Wrote ${PICTURE}.`);
} finally {
  await browser.close();
  await platform.stop();
}
