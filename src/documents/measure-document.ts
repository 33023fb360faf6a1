type Measured = Exclude<keyof DocumentLimits, 'maxBytes' | 'maxComparisons'>;

/**
 * Fragment spread with the index of the definition that contains it, its depth and the name of the
 * fragment.
 */
interface Spread {
  definition: number;
  depth: number;
  name: string;
}

/**
 * Returns the first limit that a document exceeds, or undefined. It reads the text once, and
 * creates no tokens and no tree, so it takes a fraction of the time of parsing. The result is
 * correct for valid documents. It may be wrong for an invalid document, which the parser rejects
 * anyway.
 */
export function measureDocument(source: string, limits: DocumentLimits): Measured | undefined {
  const { maxTokens, maxDepth, maxAliases, maxDirectives, maxDefinitions } = limits;
  const { length } = source;
  let tokens = 0;
  let aliases = 0;
  let directives = 0;
  /**
   * Number of open selection sets. `valueDepth` is the number of open lists and objects in
   * arguments.
   */
  let depth = 0;
  let valueDepth = 0;
  let inArguments = false;
  /** Meaning of the next name. */
  let next: 'any' | 'fragment name' | 'spread' = 'any';
  let fragmentName: string | undefined;
  const depths: number[] = [];
  let names: Map<string, number> | undefined;
  let spreads: Spread[] | undefined;

  let at = 0;
  while (at < length) {
    const code = source.charCodeAt(at);
    const kind = code < 128 ? KINDS[code]! : code === BYTE_ORDER_MARK ? IGNORED : OTHER;
    if (kind === IGNORED) {
      at++;
      continue;
    }
    if (kind === COMMENT) {
      at = endOfLine(source, at);
      continue;
    }
    if (++tokens > maxTokens) return 'maxTokens';
    const start = at++;
    const expected = next;
    next = 'any';
    switch (kind) {
      case NAME: {
        while (at < length && isWordPart(source.charCodeAt(at))) at++;
        if (inArguments) break;
        if (expected === 'spread') {
          if (at - start === 2 && source.startsWith('on', start)) break;
          spreads ??= [];
          spreads.push({ definition: depths.length - 1, depth, name: source.slice(start, at) });
        } else if (expected === 'fragment name') fragmentName = source.slice(start, at);
        else if (depth === 0 && at - start === 8 && source.startsWith('fragment', start)) next = 'fragment name';
        break;
      }
      case NUMBER:
        while (at < length && isNumberPart(source.charCodeAt(at))) at++;
        break;
      case QUOTE:
        at = endOfString(source, start);
        break;
      case DOT:
        while (at < start + 3 && source.charCodeAt(at) === DOT_CODE) at++;
        next = 'spread';
        break;
      case COLON:
        if (!inArguments && depth > 0 && ++aliases > maxAliases) return 'maxAliases';
        break;
      case AT:
        if (++directives > maxDirectives) return 'maxDirectives';
        break;
      case PAREN_OPEN:
        inArguments = true;
        break;
      case PAREN_CLOSE:
        inArguments = false;
        valueDepth = 0;
        break;
      case BRACE_OPEN:
      case BRACKET_OPEN:
        // Brackets outside parentheses are never valid in an operation. Count them too, because the
        // parser also reads type definitions, and is recursive.
        if (inArguments || kind === BRACKET_OPEN) {
          if (++valueDepth > maxDepth) return 'maxDepth';
          break;
        }
        if (depth === 0) {
          if (depths.push(0) > maxDefinitions) return 'maxDefinitions';
          if (fragmentName !== undefined) {
            names ??= new Map();
            names.set(fragmentName, depths.length - 1);
            fragmentName = undefined;
          }
        }
        if (++depth > maxDepth) return 'maxDepth';
        if (depth > depths[depths.length - 1]!) depths[depths.length - 1] = depth;
        break;
      case BRACE_CLOSE:
      case BRACKET_CLOSE:
        if (inArguments || kind === BRACKET_CLOSE) valueDepth--;
        else if (depth > 0) depth--;
        break;
    }
  }
  if (spreads && names && isDeeper(depths, names, spreads, maxDepth)) return 'maxDepth';
  return undefined;
}

/**
 * Returns whether any definition, including the fragments that it spreads, is deeper than the
 * limit. A cycle adds no depth, because it is rejected later.
 */
function isDeeper(depths: number[], names: Map<string, number>, spreads: Spread[], maxDepth: number): boolean {
  const bySpreader = new Map<number, Spread[]>();
  for (const spread of spreads) {
    const those = bySpreader.get(spread.definition);
    if (those) those.push(spread);
    else bySpreader.set(spread.definition, [spread]);
  }
  const whole: (number | undefined)[] = [];
  const depthOf = (definition: number): number => {
    const known = whole[definition];
    if (known !== undefined) return known;
    whole[definition] = 0;
    let deepest = depths[definition]!;
    for (const { name, depth } of bySpreader.get(definition) ?? []) {
      const fragment = names.get(name);
      // Subtract one, because the depth of the fragment includes its own braces, and the spread
      // does not open a selection set.
      if (fragment !== undefined) deepest = Math.max(deepest, depth - 1 + depthOf(fragment));
    }
    whole[definition] = deepest;
    return deepest;
  };
  return depths.some((_, definition) => depthOf(definition) > maxDepth);
}

const DOT_CODE = 46;
const QUOTE_CODE = 34;
const BACKSLASH_CODE = 92;
const BYTE_ORDER_MARK = 0xfeff;

const [OTHER, IGNORED, COMMENT, NAME, NUMBER, QUOTE, DOT, COLON, AT] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const [PAREN_OPEN, PAREN_CLOSE, BRACE_OPEN, BRACE_CLOSE, BRACKET_OPEN, BRACKET_CLOSE] = [9, 10, 11, 12, 13, 14];

/** Kind of token that each ASCII character starts. */
const KINDS = new Uint8Array(128);
const charactersOf: [number, string][] = [
  [IGNORED, ' \t\r\n,'],
  [COMMENT, '#'],
  [NAME, 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_'],
  [NUMBER, '-0123456789'],
  [QUOTE, '"'],
  [DOT, '.'],
  [COLON, ':'],
  [AT, '@'],
  [PAREN_OPEN, '('],
  [PAREN_CLOSE, ')'],
  [BRACE_OPEN, '{'],
  [BRACE_CLOSE, '}'],
  [BRACKET_OPEN, '['],
  [BRACKET_CLOSE, ']'],
];
for (const [kind, characters] of charactersOf) {
  for (let index = 0; index < characters.length; index++) KINDS[characters.charCodeAt(index)] = kind;
}

function isWordPart(code: number): boolean {
  return code < 128 && (KINDS[code] === NAME || (code >= 48 && code <= 57));
}

function isNumberPart(code: number): boolean {
  return isWordPart(code) || code === DOT_CODE || code === 43 || code === 45;
}

function endOfLine(source: string, from: number): number {
  for (let at = from; at < source.length; at++) {
    const code = source.charCodeAt(at);
    if (code === 10 || code === 13) return at;
  }
  return source.length;
}

/** Returns the index after a string or block string that starts at `start`. */
function endOfString(source: string, start: number): number {
  if (source.startsWith('"""', start)) {
    let end = source.indexOf('"""', start + 3);
    while (end > 0 && source.charCodeAt(end - 1) === BACKSLASH_CODE) end = source.indexOf('"""', end + 3);
    return end < 0 ? source.length : end + 3;
  }
  for (let at = start + 1; at < source.length; at++) {
    const code = source.charCodeAt(at);
    if (code === BACKSLASH_CODE) at++;
    else if (code === QUOTE_CODE) return at + 1;
    else if (code === 10 || code === 13) return at;
  }
  return source.length;
}

/**
 * Limits on the size of a document, which are checked before any expensive work. `Infinity`
 * disables a limit.
 */
export interface DocumentLimits {
  /**
   * Maximum size of the text in UTF-8, in bytes, including comments and white space.
   * @default 65536
   */
  maxBytes: number;
  /** Maximum number of tokens: names, values and punctuation. @default 2000 */
  maxTokens: number;
  /**
   * Maximum nesting of selection sets, including those of fragments, and maximum nesting of values.
   * @default 30
   */
  maxDepth: number;
  /** Maximum number of aliases. @default 250 */
  maxAliases: number;
  /** Maximum number of directives. @default 250 */
  maxDirectives: number;
  /** Maximum number of operations and fragments together. @default 100 */
  maxDefinitions: number;
  /**
   * Maximum number of pairs of fields that validation has to compare, because they have the same
   * response name in the same merged selection set. If a field is repeated, the number grows with
   * the square of the number of repetitions.
   * @default 6000
   */
  maxComparisons: number;
}

/**
 * Default limits. With these limits, the most expensive known documents take about 10 ms to parse,
 * check and validate: see `docs/responses.md`.
 */
export const DEFAULT_DOCUMENT_LIMITS: DocumentLimits = {
  maxBytes: 65_536,
  maxTokens: 2000,
  maxDepth: 30,
  maxAliases: 250,
  maxDirectives: 250,
  maxDefinitions: 100,
  maxComparisons: 6000,
};
