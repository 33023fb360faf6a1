import type { GuessGroup, SizeEntry } from '../../../cost/check/group-guesses.js';
import type { GuessEffects } from './guess-effects.js';

/** Maximum number of coordinates of a group that are listed as examples. */
const EXAMPLES = 3;

/**
 * Sorts groups by their effect on operations, largest first. Without operations, the order stays
 * unchanged.
 */
export function orderGroups(groups: readonly GuessGroup[], effects: GuessEffects | undefined): GuessGroup[] {
  const costOf = (group: GuessGroup) => effects?.byGroup.get(group) ?? 0;
  return [...groups].sort((one, other) => costOf(other) - costOf(one));
}

/**
 * Describes a group in one line: its lists, their size, and the entries to add to a file of prices.
 */
export function describeGroup(group: GuessGroup, effects: GuessEffects | undefined): string {
  const { guesses, entries, taken } = group;
  const share = effects === undefined ? '' : shareOf(group, effects);
  const added = Object.entries(entries).map(entryText).join(', ');
  const changed = Object.entries(taken).map(entryText).join(', ');
  const [only] = guesses;
  if (only !== undefined && guesses.length === 1) {
    const advice = added === '' ? '' : `; in a file of prices: ${added}`;
    return `${only.coordinate}: ${share}${only.message}${advice}${takenText(changed)}`;
  }
  const most = Object.values(entries).every((entry) => sizeOf(entry) === 1) ? '' : ' with their maximum length';
  const advice = added === '' ? '' : `; add ${added}${most}`;
  const examples = `${guesses.length > EXAMPLES ? ', such as' : ':'} ${examplesOf(group)}`;
  return `${group.name} (${guesses.length} ${nounOf(group)}${examples}): ${share}${reasonOf(group)}${advice}${takenText(changed)}`;
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
  if (kind === 'ALWAYS') return `these lists have no known size: ${fallback}`;
  const absent = names.length === 1 ? `${names[0]} is not` : `none of ${names.join(', ')} is`;
  return `if ${absent} given, ${fallback}`;
}

export function examplesOf({ guesses }: GuessGroup): string {
  const named = guesses.slice(0, EXAMPLES).map(({ coordinate }) => coordinate);
  return named.join(', ');
}

function shareOf(group: GuessGroup, { source, operations, cost, byGroup }: GuessEffects): string {
  // The decision log does not contain the arguments of operations, so the share of this group is
  // unknown.
  if (source === 'recorded' && group.kind === 'SOMETIMES') return '';
  const part = byGroup.get(group) ?? 0;
  const percent = cost === 0 ? 0 : (100 * part) / cost;
  const shown = part > 0 && percent < 1 ? 'below 1' : String(Math.round(percent));
  const which = source === 'recorded' ? 'recorded operations' : 'operations';
  return `${shown} % of the cost of ${operations === 1 ? 'the operation' : `${operations} ${which}`}; `;
}

/** Returns an entry of a file of prices, in YAML. */
export function entryText([key, entry]: [string, SizeEntry]): string {
  const [[word, size] = ['', 0]] = Object.entries(entry) as [string, number][];
  return `"${key}": { ${word}: ${size} }`;
}

export function sizeOf(entry: SizeEntry): number {
  return 'assumedSize' in entry ? entry.assumedSize : entry.defaultSize;
}
