import type { Page } from 'playwright-core';

/** Maximum number of Tab presses on one page. */
const MOST_TABS = 400;

/** The element with the focus, as the script below describes it. */
interface Focused {
  /** Tag and name, for messages. */
  name: string;
  /** Position of the element among all elements. -1: it is not in the page. */
  position: number;
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
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const inside = (x, y) => {
    if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return false;
    const at = document.elementFromPoint(x, y);
    return at !== null && (host.contains(at) || at.contains(host) || at.closest('label')?.contains(element));
  };
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  const isShown = [[x, y], [left + 2, top + 2], [right - 2, bottom - 2], [left + 2, bottom - 2], [x, top + 2], [x, bottom - 2]]
    .some(([x, y]) => inside(x, y));
  return { name, hasMark, isCovered: !isShown, isBody: element === document.body,
    position: [...document.querySelectorAll('*')].indexOf(host) };
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
      const isInOrder = before === undefined || before.position < focused.position === (key === 'Tab');
      if (!isInOrder) problems.add(`${key}: ${focused.name} follows ${before.name}`);
      seen.push(focused);
      // Without this, the walk back would go on at the end of the page.
      if (key === 'Shift+Tab' && focused.name === first) break;
    }
    if (seen.length >= MOST_TABS) problems.add(`${key}: the focus does not leave the page`);
    if (seen.length < expected) problems.add(`${key} reaches ${seen.length} controls, and the content has ${expected}`);
  }
  return [...problems];
}
