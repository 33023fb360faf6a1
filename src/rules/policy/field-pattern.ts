/** A parsed field pattern. */
export interface FieldPattern {
  /** The pattern as it was written. Several patterns are joined with `SEPARATOR`. */
  readonly text: string;
  /** The single patterns. */
  readonly patterns: readonly string[];
  /**
   * Whether the pattern covers the entire operation, including costs that belong to no field, such
   * as the minimum cost.
   */
  readonly wholeOperation: boolean;
  /**
   * Width of the pattern: 0 one field, 1 the fields of one type (or one field of any type), 2
   * everything.
   */
  readonly rank: 0 | 1 | 2;
  /** Whether the pattern matches a coordinate (`Type.field`). */
  matches(coordinate: string): boolean;
}

/** Separates several patterns in a text. No pattern contains it. */
const SEPARATOR = ', ';

/** Returns the patterns of a rule as one text, which identifies its fields. */
export function fieldTextOf({ field = '', fields }: { field?: string; fields?: readonly string[] }): string {
  return fields ? fields.join(SEPARATOR) : field;
}

/** Returns the single patterns of the text that `fieldTextOf` returned. */
export function patternsIn(text: string): string[] {
  return text.split(SEPARATOR);
}

/**
 * Parses the text that `fieldTextOf` returned. The pattern matches a coordinate if one of its single
 * patterns does.
 */
export function parseFieldText(text: string): FieldPattern | undefined {
  const parts = patternsIn(text).map(parseFieldPattern);
  const known = parts.flatMap((part) => part ?? []);
  if (known.length < parts.length) return undefined;
  if (known.length === 1) return known[0];
  return {
    text,
    patterns: known.map((one) => one.text),
    wholeOperation: known.some(({ wholeOperation }) => wholeOperation),
    rank: Math.max(...known.map(({ rank }) => rank)) as FieldPattern['rank'],
    matches: (coordinate) => known.some((one) => one.matches(coordinate)),
  };
}

/**
 * Returns the patterns that name one field: the field itself, its type, or its name on any type.
 * The pattern `*` is not included.
 */
export function patternsNaming(coordinate: string): string[] {
  const [type, field] = coordinate.split('.');
  return [coordinate, `${type}.*`, `*.${field}`];
}

const SEGMENT = /^(\*|[_A-Za-z][_0-9A-Za-z]*)$/;

/**
 * Parses `Type.field`, `Type.*`, `*.field` or `*`. Returns undefined for any other text. Segments
 * are compared as strings: no regular expression is ever built from input.
 */
export function parseFieldPattern(text: string): FieldPattern | undefined {
  if (text === '*') return { text, patterns: [text], wholeOperation: true, rank: 2, matches: () => true };
  const segments = text.split('.');
  const [type, field] = segments;
  if (segments.length !== 2 || type === undefined || field === undefined) return undefined;
  if (!SEGMENT.test(type) || !SEGMENT.test(field)) return undefined;
  if (type === '*' && field === '*')
    return { text, patterns: [text], wholeOperation: false, rank: 2, matches: () => true };
  if (field === '*') {
    const prefix = `${type}.`;
    return {
      text,
      patterns: [text],
      wholeOperation: false,
      rank: 1,
      matches: (coordinate) => coordinate.startsWith(prefix),
    };
  }
  if (type === '*') {
    const suffix = `.${field}`;
    return {
      text,
      patterns: [text],
      wholeOperation: false,
      rank: 1,
      matches: (coordinate) => coordinate.endsWith(suffix),
    };
  }
  return { text, patterns: [text], wholeOperation: false, rank: 0, matches: (coordinate) => coordinate === text };
}
