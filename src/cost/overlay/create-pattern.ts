import type { PricedElement } from './priced-elements.js';

/** Overlay key in which `*` matches any characters of a name, or none. */
export interface Pattern {
  /** Number of characters outside the stars. A pattern with more characters is more specific. */
  readonly letters: number;
  matches(element: PricedElement): boolean;
}

const FORM = /^(@?[\w*]+)(?:\.([\w*]+))?(?:\(([\w*]+):\))?$/;

export function isPattern(key: string): boolean {
  return key.includes('*');
}

/** Parses a key. Returns undefined if no coordinate has this form. */
export function createPattern(key: string): Pattern | undefined {
  const [, owner, field, argument] = FORM.exec(key) ?? [];
  if (owner === undefined) return undefined;
  const ofDirective = owner.startsWith('@');
  if (ofDirective ? field !== undefined || argument === undefined : argument !== undefined && field === undefined) {
    return undefined;
  }
  // Only the name of a type can show that input fields are meant. A star in that place matches
  // output types only.
  const meansInputs = !isPattern(owner);
  return {
    letters: key.replaceAll('*', '').length,
    matches: (element) =>
      element.isOfDirective === ofDirective &&
      (meansInputs || !element.isInputField) &&
      fits(owner, element.owner) &&
      fits(field, element.fieldName) &&
      fits(argument, element.argument),
  };
}

/**
 * Whether a pattern matches an element, by its own coordinate or by that of an interface of its
 * type.
 */
export function matches(pattern: Pattern, element: PricedElement): boolean {
  return (
    pattern.matches(element) ||
    element.elsewhere.some((each) => pattern.matches({ ...element, owner: each.slice(0, each.indexOf('.')) }))
  );
}

/** Whether a name matches a pattern. Takes linear time for every pattern. */
function fits(pattern: string | undefined, name: string | undefined): boolean {
  if (pattern === undefined || name === undefined) return pattern === name;
  const [head = '', ...more] = pattern.split('*');
  const tail = more.pop();
  if (tail === undefined) return pattern === name;
  if (!name.startsWith(head) || !name.endsWith(tail)) return false;
  let at = head.length;
  for (const part of more) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= name.length - tail.length;
}
