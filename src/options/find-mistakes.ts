import { describeValue } from './describe-value.js';
import { didYouMean } from './nearest-name.js';

/** What is wrong with a value that was given at `place`: one line for each mistake, each beginning with its place. */
export type FindMistakes = (value: unknown, place: string) => Iterable<string>;

/** Refuses no value of the type, so that the table of an option that takes more than it did does not compile. */
export interface OptionCheck<in Value> {
  readonly find: FindMistakes;
  /** The options inside of it, where it is an object of options. */
  readonly members?: Readonly<Record<string, OptionCheck<never>>>;
  /** It has to be given; `find` says what to give where it is not. */
  readonly isRequired?: boolean;
  /** Never read. It makes the type depend on `Value`. */
  readonly accepts?: (value: Value) => void;
}

/** Every option of a door and what it may be: one that is not in it does not compile. */
export type OptionTable<Options extends object> = {
  readonly [Name in keyof Options]-?: OptionCheck<Exclude<Options[Name], undefined>>;
};

/** What people write for an option that is called otherwise. */
export type OtherNames = Readonly<Record<string, string>>;

/**
 * Every mistake in the options of a door, which may be anything: members that there are not, with those that were most likely
 * meant, and values that they cannot have. An option that is undefined counts as not given.
 */
export function* findMistakes(
  options: unknown,
  table: Readonly<Record<string, OptionCheck<never>>>,
  { place = '', otherNames = {} }: { place?: string; otherNames?: OtherNames } = {},
): Iterable<string> {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    yield `${place || 'options'}: expected an object, got ${describeValue(options)}`;
    return;
  }
  const at = (name: string) => (place === '' ? name : `${place}.${name}`);
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(table, name)) yield `${at(name)}: unknown option${meant(name, table, otherNames)}`;
  }
  for (const [name, { find, isRequired = false }] of Object.entries(table)) {
    const value = (options as Record<string, unknown>)[name];
    if (value !== undefined || isRequired) yield* find(value, at(name));
  }
}

/** @throws TypeError that lists all of them; of a single one, that line alone */
export function refuseMistakes(door: string, mistakes: Iterable<string>): void {
  const all = [...mistakes];
  if (all.length === 0) return;
  throw new TypeError(
    all.length === 1 ? all[0] : `${door}: ${all.length} mistakes in its options\n  ${all.join('\n  ')}`,
  );
}

function meant(name: string, table: Readonly<Record<string, OptionCheck<never>>>, otherNames: OtherNames): string {
  const other = Object.hasOwn(otherNames, name) ? otherNames[name] : undefined;
  if (other !== undefined) return `; did you mean ${other}?`;
  const inside = [...pathsInside(table)].find((path) => path.endsWith(`.${name}`));
  if (inside !== undefined) return `; did you mean ${inside}?`;
  return didYouMean(name, Object.keys(table)) || `; there are ${Object.keys(table).join(', ')}`;
}

function* pathsInside(table: Readonly<Record<string, OptionCheck<never>>>, prefix = ''): Iterable<string> {
  for (const [name, { members = {} }] of Object.entries(table)) {
    if (prefix !== '') yield prefix + name;
    yield* pathsInside(members, `${prefix}${name}.`);
  }
}
