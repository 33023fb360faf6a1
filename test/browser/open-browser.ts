import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { findBinary } from '../helpers/servers.js';

const CHROMIUMS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Folder of screenshots for manual review. It is not part of the repository. */
const SCREENSHOTS = fileURLToPath(new URL('../../screenshots/', import.meta.url));

/** A page and its problems. */
export interface WatchedPage {
  page: Page;
  /**
   * Errors of scripts and of the console, violations of the content security policy, and requests
   * to other hosts.
   */
  complaints: string[];
}

/** Opens a real Chromium, without a window. */
export async function openBrowser(): Promise<Browser> {
  const found = process.env['TEST_CHROMIUM'] ?? CHROMIUMS.map(findBinary).find((path) => path !== undefined);
  if (!found) throw new Error('Chromium is not installed: run `npm test`, which installs it, or set TEST_CHROMIUM');
  // The sandbox of Chromium does not work for root.
  return chromium.launch({ executablePath: found, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
}

export async function watchedPage(context: BrowserContext): Promise<WatchedPage> {
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    const { hostname, protocol } = new URL(request.url());
    if (hostname !== '127.0.0.1' && protocol !== 'data:') complaints.push(`asked ${request.url()}`);
  });
  return { page, complaints };
}

/** Scope of a check: `colours` if everything else on the page was checked in other colours. */
type Checked = 'everything' | 'colours';

/**
 * Returns the serious and critical accessibility violations of a page. Each text contains the rule
 * and the first element that violates it.
 * @param what `colours` if a test has already checked everything else on this page in other colours
 */
export function barriersOf(page: Page, what: Checked = 'everything'): Promise<string[]> {
  return violationsOf(page, what, ({ impact }) => impact === 'serious' || impact === 'critical');
}

/** Returns the accessibility violations for which `counts` returns true, by default all. */
export async function violationsOf(
  page: Page,
  what: Checked = 'everything',
  counts: (violation: axe.Result) => boolean = () => true,
): Promise<string[]> {
  // The script is injected through the debugger, because the page's content security policy would
  // block a script element.
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.evaluate(AXE);
  const { violations } = await page.evaluate(
    (rules) =>
      (globalThis as unknown as { axe: typeof axe }).axe.run({
        resultTypes: ['violations'],
        ...(rules && { runOnly: rules }),
      }),
    what === 'colours' ? ['color-contrast', 'link-in-text-block'] : undefined,
  );
  return violations.filter(counts).map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`);
}

/**
 * Resets the page that tests use one after the other, so that no state of the previous test
 * remains. Its scripts stay loaded and compiled.
 */
export async function clearPage({ page, complaints }: WatchedPage): Promise<void> {
  await page.goto('about:blank');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize({ width: 1280, height: 720 });
  complaints.splice(0);
}

export async function keepScreenshot(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });
}
