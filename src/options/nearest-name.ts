/**
 * Returns the name that was most likely meant; undefined if none is near. A name is near if it is
 * spelled almost the same, regardless of case and separators. It is also near if one of the two
 * begins or ends with the other.
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  const wanted = lettersOf(name);
  let nearest: string | undefined;
  let leastDistance = Number.POSITIVE_INFINITY;
  for (const one of known) {
    // A name without its last words stands for the first one that it begins.
    const distance = one.startsWith(`${name}_`) ? 1 : distanceOf(wanted, lettersOf(one));
    if (distance < leastDistance) {
      leastDistance = distance;
      nearest = one;
    }
  }
  return nearest;
}

/** Returns `; did you mean redis?`, or an empty text if no known name is near. */
export function didYouMean(name: string, known: Iterable<string>, quote = (nearest: string) => nearest): string {
  const nearest = nearestName(name, known);
  return nearest === undefined ? '' : `; did you mean ${quote(nearest)}?`;
}

/** Minimum length of a name that counts as part of another. Shorter names match by accident. */
const MIN_PREFIX = 3;
/**
 * Length to which names are cut for the comparison. They may come from outside, and the comparison
 * is quadratic.
 */
const MAX_LENGTH = 100;

/**
 * Returns the distance between two names. Infinity means that a typing mistake does not turn one
 * into the other.
 */
function distanceOf(a: string, b: string): number {
  if (a === b) return 0;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  const edits = editsBetween(a, b);
  // Two of five characters may be wrong, one of three, and none of one.
  if (edits <= Math.max(1, Math.floor(long.length * 0.4)) && short.length > 1) return edits;
  if (short.length >= MIN_PREFIX && (long.startsWith(short) || long.endsWith(short))) return edits;
  return Number.POSITIVE_INFINITY;
}

/**
 * Returns the number of characters to insert, delete, replace or swap with the next to turn one
 * text into the other.
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
