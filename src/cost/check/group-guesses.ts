import {
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInterfaceType,
  isIntrospectionType,
  isListType,
  isObjectType,
} from 'graphql';
import type { CostOverlay } from '../annotations/cost-overlay.js';
import type { ListGuess, ListPlace } from './list-guess.js';

/**
 * Size in an overlay. `defaultSize` applies only if nothing else sizes the list. `assumedSize`
 * replaces the sizes that fields above pass to the list.
 */
export type SizeEntry = { readonly assumedSize: number } | { readonly defaultSize: number };

/** Guesses that the same overlay entries replace with known sizes. */
export interface GuessGroup {
  readonly kind: ListGuess['kind'];
  /** Name of the lists. Several names are separated by commas. */
  readonly name: string;
  /** Arguments that size the lists if they are present. */
  readonly arguments: readonly string[];
  readonly guesses: readonly ListGuess[];
  /**
   * Overlay entries that set the size of all of these lists. A key is a pattern if several lists
   * have the same name.
   */
  readonly entries: Readonly<Record<string, SizeEntry>>;
  /**
   * Sizes of coordinates whose key is already in the overlay. The user has to add each size to the
   * existing entry.
   */
  readonly taken: Readonly<Record<string, SizeEntry>>;
}

interface GroupGuessesOptions {
  readonly schema: GraphQLSchema;
  readonly overlay: CostOverlay | undefined;
  readonly defaultListSize: number;
}

/** Groups guesses by kind, list names and arguments, largest groups first. */
export function groupGuesses(guesses: readonly ListGuess[], options: GroupGuessesOptions): GuessGroup[] {
  const groups = new Map<string, ListGuess[]>();
  for (const guess of guesses) {
    const key = JSON.stringify([guess.kind, guess.arguments, namesOf(guess)]);
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push(guess);
  }
  return [...groups.values()]
    .map((members) => describeGroup(members, options))
    .sort(
      (one, other) =>
        other.guesses.length - one.guesses.length ||
        one.kind.localeCompare(other.kind) ||
        one.name.localeCompare(other.name),
    );
}

function describeGroup(guesses: readonly ListGuess[], options: GroupGuessesOptions): GuessGroup {
  const [first] = guesses as [ListGuess];
  const isOwn = guesses.every(({ coordinate, lists: [list, ...more] }) => {
    return more.length === 0 && list !== undefined && coordinate === coordinateOf(list);
  });
  const lists = uniqueLists(guesses);
  const entries: Record<string, SizeEntry> = {};
  const taken: Record<string, SizeEntry> = {};
  const isTaken = (key: string) => options.overlay !== undefined && Object.hasOwn(options.overlay, key);
  for (const [name, places] of byName(lists)) {
    const areErrors = places.every(({ isErrors }) => isErrors);
    const size = areErrors ? 1 : options.defaultListSize;
    const coordinates = places.map(coordinateOf);
    const isAlone = first.kind === 'ALWAYS' && isOwn && guesses.every(({ isSizedElsewhere }) => !isSizedElsewhere);
    const pattern = places.length === 1 ? coordinates[0]! : patternOf(name, places, first.kind);
    // If a later version of the schema adds a page argument, such as `first`, to a field above, an
    // `assumedSize` would override it. For lists of errors this is harmless, because page arguments
    // never set their size.
    const mayReplace =
      areErrors && isAlone && (places.length === 1 || !isNameOfOthers(name, coordinates, options.schema));
    const entry: SizeEntry = mayReplace ? { assumedSize: size } : { defaultSize: size };
    if (!isTaken(pattern)) {
      entries[pattern] = entry;
      continue;
    }
    for (const coordinate of coordinates) (isTaken(coordinate) ? taken : entries)[coordinate] = entry;
  }
  return {
    kind: first.kind,
    name: namesOf(first).join(', '),
    arguments: first.arguments,
    guesses,
    entries,
    taken,
  };
}

/**
 * Returns the pattern for several lists with the same name. For the kind `SOMETIMES`, the pattern
 * includes the last word of the type names if all share it, as in `*Connection.nodes`.
 */
function patternOf(name: string, places: readonly ListPlace[], kind: ListGuess['kind']): string {
  if (kind === 'ALWAYS') return `*.${name}`;
  const [word = '', ...others] = new Set(places.map(({ owner }) => /[A-Z][a-z0-9]*$/.exec(owner)?.[0] ?? ''));
  return others.length === 0 ? `*${word}.${name}` : `*.${name}`;
}

/**
 * Returns whether the schema has other object lists with this name, whose size a pattern would
 * replace.
 */
function isNameOfOthers(name: string, coordinates: readonly string[], schema: GraphQLSchema): boolean {
  const known = new Set(coordinates);
  return Object.values(schema.getTypeMap()).some((type) => {
    if (isIntrospectionType(type) || (!isObjectType(type) && !isInterfaceType(type))) return false;
    const field = type.getFields()[name];
    if (field === undefined || !isListType(getNullableType(field.type))) return false;
    return isCompositeType(getNamedType(field.type)) && !known.has(`${type.name}.${name}`);
  });
}

function uniqueLists(guesses: readonly ListGuess[]): ListPlace[] {
  return [...new Map(guesses.flatMap(({ lists }) => lists).map((list) => [coordinateOf(list), list])).values()];
}

function byName(lists: readonly ListPlace[]): Map<string, ListPlace[]> {
  const named = new Map<string, ListPlace[]>();
  for (const list of lists) named.set(list.name, [...(named.get(list.name) ?? []), list]);
  return named;
}

function namesOf({ lists }: ListGuess): string[] {
  return [...new Set(lists.map(({ name }) => name))].sort();
}

function coordinateOf({ owner, name }: ListPlace): string {
  return `${owner}.${name}`;
}
