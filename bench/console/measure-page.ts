import type { Browser, BrowserContext, Page } from 'playwright-core';

export type Session = Awaited<ReturnType<BrowserContext['storageState']>>;

/** Load figures of a page in a browser with empty caches. */
export interface PageFigures {
  /** First contentful paint. */
  paintMs: number;
  /** Time until the page shows its title and has no placeholder left. */
  usefulMs: number;
  /** Cumulative layout shift. */
  shift: number;
  /** Length of the longest list in a response of the admin API. */
  mostNodes: number;
}

const USEFUL_WITHIN_MS = 30_000;
/**
 * Maximum wait for an idle network. The network of a page that polls every second is never idle.
 */
const LATER_MS = 2_000;

/** Script that runs in the page before all others, and records its figures. */
const WATCH = `
  globalThis.figures = { shift: 0, usefulMs: 0 };
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) figures.shift += value;
  }).observe({ type: 'layout-shift', buffered: true });
  const look = () => {
    const isUseful = document.querySelector('main h1') && !document.querySelector('.skeleton');
    if (isUseful) figures.usefulMs ||= performance.now();
    else figures.usefulMs = 0;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);`;

/** Opens a page, logged in, in a new browser context with empty caches. */
export async function openPage(browser: Browser, session: Session): Promise<Page> {
  const context = await browser.newContext({ storageState: session });
  const page = await context.newPage();
  await page.addInitScript(WATCH);
  return page;
}

export async function measurePage(browser: Browser, session: Session, url: string): Promise<PageFigures> {
  const page = await openPage(browser, session);
  let mostNodes = 0;
  page.on('response', async (response) => {
    if (!response.url().endsWith('/admin/graphql')) return;
    const answer: unknown = await response.json().catch(() => null);
    mostNodes = Math.max(mostNodes, longestList(answer));
  });
  await page.goto(url);
  await untilUseful(page);
  // Content that arrives later may still shift the layout, or show placeholders again.
  await page.waitForLoadState('networkidle', { timeout: LATER_MS }).catch(() => {});
  await untilUseful(page);
  const figures = await page.evaluate<Omit<PageFigures, 'mostNodes'>>(
    '({ ...figures, paintMs: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN })',
  );
  await page.context().close();
  return { ...figures, mostNodes };
}

/**
 * Waits until the page is useful. It polls from this process. A wait inside the page would need
 * `eval`, which the content security policy of the page forbids.
 */
export async function untilUseful(page: Page): Promise<void> {
  const lastMs = performance.now() + USEFUL_WITHIN_MS;
  while (!(await page.evaluate<boolean>('figures.usefulMs > 0'))) {
    if (performance.now() > lastMs) throw new Error(`${page.url()} is not complete after ${USEFUL_WITHIN_MS} ms`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

function longestList(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? value.length : 0;
  return Object.values(value).reduce((most: number, one) => Math.max(most, longestList(one)), own);
}
