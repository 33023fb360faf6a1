// Checks the performance limits of the console: `npm run load:console`. It fills its own PostgreSQL
// with 100,000 callers, 10,000 rules and 90 days of usage. It opens every page in a real Chromium
// with empty caches. Then it measures the live overview while a thousand operations are decided
// every second.
//
// --few is a quick check that everything works. --only=TEXT opens only the pages whose address
// contains the text; --only=live opens none.
import { setTimeout as wait } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../../test/browser/open-browser.js';
import { type Platform, startPlatform } from '../../test/helpers/platform.js';
import { startRedisServer } from '../../test/helpers/servers.js';
import { describeMachine } from '../frame/machine.js';
import { machineLine } from '../frame/table.js';
import { decide } from './decider.js';
import { FULL_CONSOLE, fillConsole, SMALL_CONSOLE } from './fill-console.js';
import { measurePage, openPage, type PageFigures, type Session, untilUseful } from './measure-page.js';

const ROUNDS = 3;
const BOUNDS = { paintMs: 1000, usefulMs: 1500, shift: 0.05, mostNodes: 100, cpuShare: 0.3 };
const LIVE = { perSecond: 1000, warmUpMs: 5000, durationMs: 20_000, callers: 200 };
const RANGES = ['1h', '24h', '90d'];
/** A custom range of a week that ended three days ago: `2026-01-01T10:17:00.000Z~...`. */
const CUSTOM = [10, 3].map((days) => new Date(Date.now() - days * 86_400_000).toISOString()).join('~');
const PAGES = [
  ...RANGES.flatMap((range) =>
    ['', 'denials', 'callers', 'operations', 'fields?tab=costs'].map((path) => withRange(path, range)),
  ),
  ...['?compare=on', 'denials', 'callers', 'operations'].map((path) => withRange(path, CUSTOM)),
  withRange('?compare=on', 'yesterday'),
  withRange('?compare=on', '90d'),
  withRange('denials?user=user-77', '24h'),
  'callers?name=caller-77',
  // `user-77` is stored as a subject. `caller-77` is not stored, but has usage.
  'caller?user=user-77&tenant=tenant-77',
  'caller?user=caller-77&tenant=tenant-77',
  'rules',
  'rules?name=rule-99',
  'rule?name=rule-77',
  'rule-form?name=rule-77',
  'tiers',
  'tier?name=tier-1',
  'fields',
  'fields?by=COST',
  withRange('fields?tab=inaccurate', '90d'),
  'explorer',
  'export?range=90d',
  'health',
  'tokens',
  'history',
  'history?name=rule-77',
];

const PATH_WIDTH = 46;

const isFew = process.argv.includes('--few');
const only = process.argv.find((one) => one.startsWith('--only='))?.slice('--only='.length) ?? '';
const problems: string[] = [];
const startedMs = performance.now();
const postgres = await fillConsole(isFew ? SMALL_CONSOLE : FULL_CONSOLE);
const filledS = Math.round((performance.now() - startedMs) / 1000);
const redis = await startRedisServer();
let platform: Platform | undefined;
let browser: Browser | undefined;
try {
  console.log(machineLine(describeMachine()));
  console.log(`${postgres.rows} rows of usage, made in ${filledS} s`);
  platform = await startPlatform({
    env: { REDIS_URL: redis.url, DATABASE_URL: postgres.url, HOST: '127.0.0.1', LOG_LEVEL: 'warn' },
    args: ['--demo'],
  });
  browser = await openBrowser();
  const session = await logIn(browser, platform);
  await measurePages(browser, session, platform);
  await measureLive(browser, session, platform, { redisUrl: redis.url, databaseUrl: postgres.url });
  console.log(problems.length === 0 ? '\nevery bound holds' : `\nBROKEN:\n  ${problems.join('\n  ')}`);
  if (problems.length > 0) process.exitCode = 1;
} finally {
  await browser?.close();
  await platform?.stop();
  await redis.stop();
  await postgres.stop();
}

async function logIn(browser: Browser, platform: Platform): Promise<Session> {
  const link = /http:\/\/\S+#code=\S+/.exec(platform.output())![0].replace('localhost', '127.0.0.1');
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(link);
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  const session = await context.storageState();
  await context.close();
  return session;
}

/**
 * Measures each page several times. The bounds of the times apply to the medians, because other
 * processes may use the machine meanwhile. The other bounds apply to the maxima.
 */
async function measurePages(browser: Browser, session: Session, { url }: Platform): Promise<void> {
  console.log(`\n${'page'.padEnd(PATH_WIDTH)} first paint, ms    useful, ms (worst)   shift   longest list`);
  for (const path of PAGES.filter((one) => one.includes(only))) {
    const rounds: PageFigures[] = [];
    for (let round = 0; round < ROUNDS; round++)
      rounds.push(await measurePage(browser, session, `${url}/console/${path}`));
    const median = (name: 'paintMs' | 'usefulMs') =>
      rounds.map((one) => one[name]).sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]!;
    const most = (name: 'usefulMs' | 'shift' | 'mostNodes') => Math.max(...rounds.map((one) => one[name]));
    const figures = {
      paintMs: median('paintMs'),
      usefulMs: median('usefulMs'),
      shift: most('shift'),
      mostNodes: most('mostNodes'),
    };
    const { paintMs, usefulMs, shift, mostNodes } = figures;
    console.log(
      `/${path.replace(CUSTOM, 'custom')}`.padEnd(PATH_WIDTH),
      `${Math.round(paintMs)}`.padStart(10),
      `${Math.round(usefulMs)} (${Math.round(most('usefulMs'))})`.padStart(22),
      shift.toFixed(3).padStart(10),
      `${mostNodes}`.padStart(10),
    );
    for (const [name, value] of Object.entries(figures)) {
      const bound = BOUNDS[name as keyof typeof figures];
      if (!(value <= bound)) problems.push(`/${path}: ${name} ${value.toFixed(3)}, more than ${bound}`);
    }
  }
}

/**
 * Measures the processor time of the browser process that shows the live overview. During the
 * measurement, a thousand operations are decided every second.
 */
async function measureLive(
  browser: Browser,
  session: Session,
  { url }: Platform,
  shared: { redisUrl: string; databaseUrl: string },
): Promise<void> {
  const page = await openPage(browser, session);
  await page.goto(`${url}/console/?range=15m`);
  await untilUseful(page);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  const cpuMs = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'ProcessTime')!.value * 1000;
  };
  const { perSecond, warmUpMs, durationMs, callers } = LIVE;
  const deciding = decide({ ...shared, perSecond, durationMs: warmUpMs + durationMs, callers });
  await wait(warmUpMs);
  const [beforeMs, fromMs] = [await cpuMs(), performance.now()];
  await wait(durationMs - 1000);
  const share = ((await cpuMs()) - beforeMs) / (performance.now() - fromMs);
  const shown = await page
    .getByText(/\/s now$/)
    .first()
    .innerText();
  const { decisions, admitted, elapsedMs } = await deciding;
  const rate = Math.round((1000 * decisions) / elapsedMs);
  console.log(
    `\nlive at ${rate} decisions a second, ${Math.round((100 * admitted) / decisions)} % of them admitted (the page shows ${shown.split('·').at(-1)!.trim()}): the page takes ${(share * 100).toFixed(1)} % of a core`,
  );
  if (rate < 0.95 * perSecond) problems.push(`live: ${rate} decisions a second, fewer than ${perSecond}`);
  if (!(share <= BOUNDS.cpuShare)) {
    problems.push(`the live page takes ${(share * 100).toFixed(1)} % of a core, more than ${BOUNDS.cpuShare * 100} %`);
  }
  await page.context().close();
}

function withRange(path: string, range: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}range=${range}`;
}
