import type { Browser, BrowserContext, Page } from 'playwright-core';

export type Session = Awaited<ReturnType<BrowserContext['storageState']>>;

/** How a page came up in a browser that had nothing of it. */
export interface PageFigures {
  /** First contentful paint. */
  paintMs: number;
  /** The title is there, and nothing on the page is a placeholder any more. */
  usefulMs: number;
  /** By how much what was there has moved. */
  shift: number;
  /** The longest list in an answer of the administration. */
  mostNodes: number;
}

const USEFUL_WITHIN_MS = 30_000;
/** A page that asks again every second is never idle. */
const LATER_MS = 2_000;

/** Looks at the page from within, from its first moment on. */
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

/** Opens a page at an address, logged in, in a context of its own: with empty caches. */
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
  // What comes a moment later may still move what is there, or bring placeholders back.
  await page.waitForLoadState('networkidle', { timeout: LATER_MS }).catch(() => {});
  await untilUseful(page);
  const figures = await page.evaluate<Omit<PageFigures, 'mostNodes'>>(
    '({ ...figures, paintMs: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN })',
  );
  await page.context().close();
  return { ...figures, mostNodes };
}

/** Asked from outside: the page's policy lets no text be run as a script, as waiting inside would. */
export async function untilUseful(page: Page): Promise<void> {
  const lastMs = performance.now() + USEFUL_WITHIN_MS;
  while (!(await page.evaluate<boolean>('figures.usefulMs > 0'))) {
    if (performance.now() > lastMs) throw new Error(`${page.url()} is not there after ${USEFUL_WITHIN_MS} ms`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

function longestList(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? value.length : 0;
  return Object.values(value).reduce((most: number, one) => Math.max(most, longestList(one)), own);
}
