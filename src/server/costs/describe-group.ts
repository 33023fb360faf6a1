import type { GuessGroup, SizeEntry } from '../../cost/check/group-guesses.js';

/** Maximum number of coordinates of a group that are listed as examples. */
const EXAMPLES = 3;

interface GroupText {
  /** Text before the reason for the guesses, such as their share of the cost of operations. */
  readonly share?: string;
  /** Whether the user can annotate the schema. If not, only the entries are advised. */
  readonly isOwnSchema: boolean;
}

/**
 * Describes a group in one line: its lists, their size, and the entries to add to a file of prices.
 */
export function describeGroup(group: GuessGroup, { share = '', isOwnSchema }: GroupText): string {
  const { guesses, entries, taken } = group;
  const added = Object.entries(entries).map(entryText).join(', ');
  const changed = Object.entries(taken).map(entryText).join(', ');
  const [only] = guesses;
  const isAlone = only !== undefined && guesses.length === 1;
  if (isAlone && isOwnSchema) {
    const advice = added === '' ? '' : `; in a file of prices: ${added}`;
    return `${only.coordinate}: ${share}${only.message}${advice}${takenText(changed)}`;
  }
  const most = Object.values(entries).every((entry) => sizeOf(entry) === 1)
    ? ''
    : ` with ${isAlone ? 'its' : 'their'} maximum length`;
  const advice = added === '' ? '' : `; add ${added}${most}`;
  const examples = `${guesses.length > EXAMPLES ? ', such as' : ':'} ${examplesOf(group)}`;
  const name = isAlone ? only.coordinate : `${group.name} (${guesses.length} ${nounOf(group)}${examples})`;
  return `${name}: ${share}${reasonOf(group)}${advice}${takenText(changed)}`;
}

function takenText(changed: string): string {
  return changed === '' ? '' : `; an entry exists: change it to ${changed}`;
}

function nounOf({ kind, guesses }: GuessGroup): string {
  const isOwn = guesses.every(({ coordinate, lists }) =>
    lists.every(({ owner, name }) => coordinate === `${owner}.${name}`),
  );
  return kind === 'ALWAYS' || isOwn ? 'lists' : 'fields';
}

function reasonOf({ kind, arguments: names, guesses }: GuessGroup): string {
  const fallback = /the default list size \(\d+\) is used/.exec(guesses[0]?.message ?? '')?.[0] ?? '';
  if (kind === 'ALWAYS') {
    return `${guesses.length === 1 ? 'this list has' : 'these lists have'} no known size: ${fallback}`;
  }
  const absent = names.length === 1 ? `${names[0]} is not` : `none of ${names.join(', ')} is`;
  return `if ${absent} given, ${fallback}`;
}

export function examplesOf({ guesses }: GuessGroup): string {
  const named = guesses.slice(0, EXAMPLES).map(({ coordinate }) => coordinate);
  return named.join(', ');
}

/** Returns an entry of a file of prices, in YAML. */
export function entryText([key, entry]: [string, SizeEntry]): string {
  const [[word, size] = ['', 0]] = Object.entries(entry) as [string, number][];
  return `"${key}": { ${word}: ${size} }`;
}

export function sizeOf(entry: SizeEntry): number {
  return 'assumedSize' in entry ? entry.assumedSize : entry.defaultSize;
}
