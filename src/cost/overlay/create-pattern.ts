import type { PricedElement } from './priced-elements.js';

/** Overlay key in which `*` matches any number of characters of a name, including none. */
export interface Pattern {
  /** Number of characters other than `*`. A pattern with more of them is more specific. */
  readonly letters: number;
  matches(element: PricedElement): boolean;
}

const FORM = /^(@?[\w*]+)(?:\.([\w*]+))?(?:\(([\w*]+):\))?$/;

export function isPattern(key: string): boolean {
  return key.includes('*');
}

/** Parses a key. Returns undefined if the key does not have the form of a coordinate. */
export function createPattern(key: string): Pattern | undefined {
  const [, owner, field, argument] = FORM.exec(key) ?? [];
  if (owner === undefined) return undefined;
  const ofDirective = owner.startsWith('@');
  if (ofDirective ? field !== undefined || argument === undefined : argument !== undefined && field === undefined) {
    return undefined;
  }
  // A pattern matches input fields only if its type name has no star. Otherwise patterns for
  // fields, such as `*.items`, would match input fields by accident.
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
 * Returns whether a pattern matches an element, by its own coordinate or by its coordinate on an
 * interface.
 */
export function matches(pattern: Pattern, element: PricedElement): boolean {
  return (
    pattern.matches(element) ||
    element.elsewhere.some((each) => pattern.matches({ ...element, owner: each.slice(0, each.indexOf('.')) }))
  );
}

/** Returns whether a name matches a pattern, in linear time. */
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
