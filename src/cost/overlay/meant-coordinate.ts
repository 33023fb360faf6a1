import { didYouMean, nearestName } from '../../options/nearest-name.js';

/**
 * Returns a suggestion such as `; did you mean Query.items?`, or an empty string. It suggests a
 * type with a similar name, or a field or argument of the same type or of such a type.
 */
export function meantCoordinate(coordinate: string, known: ReadonlySet<string>): string {
  const [owner, rest] = split(coordinate);
  const below = new Map<string, string[]>();
  for (const each of known) {
    const [type, member] = split(each);
    const members = below.get(type) ?? [];
    below.set(type, members);
    if (member !== '') members.push(member);
  }
  const nearest = below.has(owner) ? owner : nearestName(owner, below.keys());
  if (nearest === undefined) return '';
  const members = below.get(nearest)!;
  if (rest === '') return didYouMean(owner, [nearest]);
  const isArgument = rest.includes('(');
  const candidates = members.filter((member) => member.includes('(') === isArgument);
  if (candidates.includes(rest)) return `; did you mean ${nearest}${rest}?`;
  return didYouMean(rest, candidates, (member) => `${nearest}${member}`);
}

/** Splits a coordinate into the type or directive and the rest, which begins with `.` or `(`. */
function split(coordinate: string): [owner: string, rest: string] {
  const at = coordinate.search(/[.(]/);
  return at < 0 ? [coordinate, ''] : [coordinate.slice(0, at), coordinate.slice(at)];
}
