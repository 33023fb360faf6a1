import type { Page } from 'playwright-core';

/**
 * Script that returns the parts of the page that are cut off or that leave the viewport, as texts.
 *
 * A text may leave its box if the box scrolls, or if the box ends the text with an ellipsis and has
 * a title with the whole text. On phones, only boxes of code may scroll sideways.
 */
const MEASURE = `((mayScroll) => {
  const problems = new Set();
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width)
    problems.add('the page is ' + document.documentElement.scrollWidth + ' px wide, and the viewport ' + width + ' px');

  const CODE = '.cm-editor, pre, .answer, textarea, .tabs';
  const isHidden = (element) =>
    !element.checkVisibility({ visibilityProperty: true }) || element.closest('.visually-hidden, .skip, [data-base-ui-focus-guard]');
  const short = (element) => {
    const { tagName, className } = element;
    const name = typeof className === 'string' ? className : '';
    return tagName.toLowerCase() + (name ? '.' + name.trim().replaceAll(/\\s+/g, '.') : '');
  };

  /** Checks that a box on the page is not cut by one of the boxes around it. */
  const check = (rect, element, what) => {
    if (rect.width === 0 || rect.height === 0) return;
    for (let box = element; box && box !== document.documentElement; box = box.parentElement) {
      const style = getComputedStyle(box);
      const [x, y] = [style.overflowX, style.overflowY];
      if (box !== document.body && (x !== 'visible' || y !== 'visible')) {
        const around = box.getBoundingClientRect();
        const isWide = rect.right > around.right + 1.5 || rect.left < around.left - 1.5;
        const isHigh = rect.bottom > around.bottom + 1.5 || rect.top < around.top - 1.5;
        if (isWide && (x === 'hidden' || x === 'clip')) {
          const isTold = style.textOverflow === 'ellipsis' && box.closest('[title]');
          if (!isTold) problems.add(what + ' is cut by ' + short(box));
          return;
        }
        if (isWide && (x === 'auto' || x === 'scroll')) {
          if (!mayScroll && !box.closest(CODE)) problems.add(what + ' must be scrolled to in ' + short(box));
          return;
        }
        if (isHigh && (y === 'hidden' || y === 'clip')) problems.add(what + ' is cut from below by ' + short(box));
        if (isHigh) return;
      }
      if (style.position === 'fixed') break;
    }
    if (rect.right > width + 1 || rect.left < -1) problems.add(what + ' leaves the viewport');
  };

  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (texts.nextNode()) {
    const node = texts.currentNode;
    const parent = node.parentElement;
    const text = node.textContent.trim();
    if (text === '' || parent.closest('script, style, option, svg, noscript') || isHidden(parent)) continue;
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) check(rect, parent, JSON.stringify(text.slice(0, 60)));
  }
  for (const element of document.querySelectorAll('button, a, input, select, textarea, canvas, progress, .card, .notice, .pill')) {
    if (isHidden(element)) continue;
    const name = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40);
    if (element.parentElement) check(element.getBoundingClientRect(), element.parentElement, short(element) + ' ' + JSON.stringify(name));
    if (element.tagName === 'BUTTON' && element.scrollWidth > element.clientWidth + 1)
      problems.add('the text of the button ' + JSON.stringify(name) + ' is wider than the button');
  }
  return [...problems];
})`;

/** Script that returns the controls of the content that are too small for a thumb, as texts. */
const SMALL = `[...document.querySelectorAll('main :is(button, select, a.button, input:not([type="checkbox"])), [role="dialog"] :is(button, select)')]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.getBoundingClientRect().height > 0)
  .filter((one) => one.getBoundingClientRect().height < LEAST || one.getBoundingClientRect().width < LEAST)
  .map((one) => one.className + ' ' + JSON.stringify((one.getAttribute('aria-label') ?? one.textContent).trim().slice(0, 40)) + ' is ' +
    Math.round(one.getBoundingClientRect().width) + ' × ' + Math.round(one.getBoundingClientRect().height) + ' px')`;

/** Maximum width of a phone in CSS pixels. */
const PHONE_PX = 600;

/** Minimum width and height of a control on a phone, in CSS pixels. */
const THUMB_PX = 32;

/**
 * Returns what is wrong with the layout of the page at its current width. On phones, this includes
 * tables that scroll sideways, and controls that are too small for a thumb.
 */
export async function layoutProblems(page: Page): Promise<string[]> {
  const isPhone = (page.viewportSize()?.width ?? Number.POSITIVE_INFINITY) <= PHONE_PX;
  const cut = await page.evaluate<string[]>(`${MEASURE}(${!isPhone})`);
  const small = isPhone ? await page.evaluate<string[]>(SMALL.replaceAll('LEAST', String(THUMB_PX))) : [];
  return [...cut, ...small];
}
