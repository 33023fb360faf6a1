/**
 * The name that was most likely meant: one that is spelled nearly alike, whatever the case and the separators, or that one of
 * the two begins with. Undefined where none is near.
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  const wanted = lettersOf(name);
  let nearest: string | undefined;
  let leastDistance = Number.POSITIVE_INFINITY;
  for (const one of known) {
    const distance = distanceOf(wanted, lettersOf(one));
    if (distance < leastDistance) {
      leastDistance = distance;
      nearest = one;
    }
  }
  return nearest;
}

/** `; did you mean redis?`, or nothing where no known name is near. */
export function didYouMean(name: string, known: Iterable<string>, quote = (nearest: string) => nearest): string {
  const nearest = nearestName(name, known);
  return nearest === undefined ? '' : `; did you mean ${quote(nearest)}?`;
}

/** A name that is the beginning of another says more than three letters by accident. */
const MIN_PREFIX = 3;
/** Names beyond it are compared as if they ended there: they come from outside too, and the comparison is quadratic. */
const MAX_LENGTH = 100;

/** Infinity: a typing mistake does not turn one into the other. */
function distanceOf(a: string, b: string): number {
  if (a === b) return 0;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  const edits = editsBetween(a, b);
  // Two of five letters may be wrong, one of three, none of one.
  if (edits <= Math.max(1, Math.floor(long.length * 0.4)) && short.length > 1) return edits;
  if (short.length >= MIN_PREFIX && (long.startsWith(short) || long.endsWith(short))) return edits;
  return Number.POSITIVE_INFINITY;
}

/** How many letters are to be put in, taken away, replaced or swapped with the next to make one of the other. */
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
