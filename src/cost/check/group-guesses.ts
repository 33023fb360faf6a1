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

/** A size in an overlay. `defaultSize` leaves every list the size that it has from elsewhere. */
export type SizeEntry = { readonly assumedSize: number } | { readonly defaultSize: number };

/** Guesses that the same entries of an overlay settle. */
export interface GuessGroup {
  readonly kind: ListGuess['kind'];
  /** The name of the lists; of several, with commas between. */
  readonly name: string;
  /** The arguments that size the lists where they are given. */
  readonly arguments: readonly string[];
  readonly guesses: readonly ListGuess[];
  /** Entries of an overlay that give all of these lists a size; the keys are patterns where several lists have one name. */
  readonly entries: Readonly<Record<string, SizeEntry>>;
  /** Coordinates whose key is in the overlay already: their sizes have to be written into those entries. */
  readonly taken: Readonly<Record<string, SizeEntry>>;
}

interface GroupGuessesOptions {
  readonly schema: GraphQLSchema;
  readonly overlay: CostOverlay | undefined;
  readonly defaultListSize: number;
}

/** Groups guesses by the names of their lists, and by their arguments: the largest groups come first. */
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
    // An `assumedSize` would also replace page arguments that a later version of the schema adds. Lists of errors get none.
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

/** Of lists below fields with arguments, the pattern names the kind of type that they are on: `*Connection.nodes`. */
function patternOf(name: string, places: readonly ListPlace[], kind: ListGuess['kind']): string {
  if (kind === 'ALWAYS') return `*.${name}`;
  const [word = '', ...others] = new Set(places.map(({ owner }) => /[A-Z][a-z0-9]*$/.exec(owner)?.[0] ?? ''));
  return others.length === 0 ? `*${word}.${name}` : `*.${name}`;
}

/** Whether a list of objects of this name is none of these: a pattern would replace the size that it has. */
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
