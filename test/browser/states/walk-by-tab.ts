import type { Page } from 'playwright-core';

/** Maximum number of Tab presses on one page. */
const MOST_TABS = 400;

/** The element with the focus, as the script below describes it. */
interface Focused {
  /** Tag and name, for messages. */
  name: string;
  /**
   * Position relative to the element that had the focus before. Parts of the page that load
   * meanwhile do not change it. Undefined: there is no such element, or it has left the page.
   */
  comes?: 'before' | 'after';
  /** Whether the user can see where the focus is. */
  hasMark: boolean;
  /** Whether a fixed or sticky element covers all of it, or it is outside of the viewport. */
  isCovered: boolean;
  isBody: boolean;
}

const DESCRIBE = `(() => {
  let element = document.activeElement;
  // The editor is in a shadow tree.
  const host = element;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  const name = element.tagName.toLowerCase() + ' ' +
    JSON.stringify((element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40));
  const style = getComputedStyle(element);
  // An input in an editor has its mark on the editor.
  const marks = [element, element.closest('.cm-editor')].filter(Boolean).map((one) => getComputedStyle(one));
  const hasMark = marks.some(({ outlineStyle, outlineWidth }) => outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1);
  // Only the part in the viewport, because an element may be larger, such as a long table.
  const box = element.getBoundingClientRect();
  const [left, right] = [Math.max(box.left, 0), Math.min(box.right, innerWidth)];
  const [top, bottom] = [Math.max(box.top, 0), Math.min(box.bottom, innerHeight)];
  const inside = (x, y) => {
    if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return false;
    const at = document.elementFromPoint(x, y);
    return at !== null && (host.contains(at) || at.contains(host) || at.closest('label')?.contains(element));
  };
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  const isShown = left < right && top < bottom && [[x, y], [left + 2, top + 2], [right - 2, bottom - 2], [left + 2, bottom - 2], [x, top + 2], [x, bottom - 2]]
    .some(([x, y]) => inside(x, y));
  const last = window.lastFocused;
  window.lastFocused = host;
  const comes = !last?.isConnected ? undefined
    : last.compareDocumentPosition(host) & Node.DOCUMENT_POSITION_FOLLOWING ? 'after' : 'before';
  return { name, hasMark, isCovered: !isShown, isBody: element === document.body, comes };
})()`;

/**
 * Walks through the page by Tab, and back by Shift+Tab. Returns what is wrong with the focus: it is
 * invisible, covered, or not in the order of the page, or it never reaches a control of the
 * content.
 */
export async function focusProblems(page: Page): Promise<string[]> {
  const problems = new Set<string>();
  const expected = await page.evaluate<number>(
    `[...document.querySelectorAll('main :is(a[href], button:enabled, select:enabled, input:enabled, textarea:enabled, summary)')]
      .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.tabIndex >= 0).length`,
  );
  await page.evaluate('document.activeElement?.blur(), window.scrollTo(0, 0)');
  let first: string | undefined;
  for (const key of ['Tab', 'Shift+Tab']) {
    const seen: Focused[] = [];
    for (let tab = 0; tab < MOST_TABS; tab++) {
      await page.keyboard.press(key);
      const focused = await page.evaluate<Focused>(DESCRIBE);
      // The focus has left the page.
      if (focused.isBody) break;
      first ??= focused.name;
      if (!focused.hasMark) problems.add(`the focus on ${focused.name} is invisible`);
      if (focused.isCovered) problems.add(`${key}: the focus on ${focused.name} is covered`);
      const before = seen.at(-1);
      const isInOrder = focused.comes === undefined || (focused.comes === 'after') === (key === 'Tab');
      if (before && !isInOrder) problems.add(`${key}: ${focused.name} follows ${before.name}`);
      seen.push(focused);
      // Without this, the walk back would go on at the end of the page.
      if (key === 'Shift+Tab' && focused.name === first) break;
    }
    if (seen.length >= MOST_TABS) problems.add(`${key}: the focus does not leave the page`);
    if (seen.length < expected) problems.add(`${key} reaches ${seen.length} controls, and the content has ${expected}`);
  }
  return [...problems];
}
