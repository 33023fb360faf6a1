/**
 * Returns the known name that the user most likely meant; undefined if none is similar. Names are
 * similar if they are spelled almost the same, regardless of case and separators. They are also
 * similar if one of them begins or ends with the other.
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  const wanted = lettersOf(name);
  let nearest: string | undefined;
  let leastDistance = Number.POSITIVE_INFINITY;
  for (const one of known) {
    // A known name that begins with `name` and `_` is very similar, because users omit the last
    // words of names.
    const distance = one.startsWith(`${name}_`) ? 1 : distanceOf(wanted, lettersOf(one));
    if (distance < leastDistance) {
      leastDistance = distance;
      nearest = one;
    }
  }
  return nearest;
}

/** Returns text such as `; did you mean redis?`, or an empty string if no known name is similar. */
export function didYouMean(name: string, known: Iterable<string>, quote = (nearest: string) => nearest): string {
  const nearest = nearestName(name, known);
  return nearest === undefined ? '' : `; did you mean ${quote(nearest)}?`;
}

/**
 * Minimum length of a name that counts as the beginning or end of another. Shorter names would
 * match by accident.
 */
const MIN_PREFIX = 3;
/**
 * Maximum number of characters of a name that are compared. Names may come from clients, and the
 * time of the comparison is quadratic.
 */
const MAX_LENGTH = 100;

/**
 * Returns the distance between two names, in edits. Infinity means that the names are not similar.
 */
function distanceOf(a: string, b: string): number {
  if (a === b) return 0;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  const edits = editsBetween(a, b);
  // Two of five characters may be wrong, and one of three. A name of one character must be correct.
  if (edits <= Math.max(1, Math.floor(long.length * 0.4)) && short.length > 1) return edits;
  if (short.length >= MIN_PREFIX && (long.startsWith(short) || long.endsWith(short))) return edits;
  return Number.POSITIVE_INFINITY;
}

/**
 * Returns the minimum number of edits that convert one text to the other. An edit inserts, deletes
 * or replaces one character, or swaps two adjacent characters.
 */
export function editsBetween(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let least = Math.min(previous[j]! + 1, current[j - 1]! + 1, previous[j - 1]! + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, before[j - 2]! + 1);
      current.push(least);
    }
    [before, previous] = [previous, current];
  }
  return previous[b.length]!;
}

function lettersOf(name: string): string {
  return name.slice(0, MAX_LENGTH).toLowerCase().replace(/[-_ ]/g, '');
}
