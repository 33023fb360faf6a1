import { describeValue } from './describe-value.js';
import { didYouMean } from './nearest-name.js';

/**
 * Function that returns the mistakes in the value of an option. `place` is the path of the option,
 * such as `usage.flushMs`. Each mistake is one line that begins with its place.
 */
export type FindMistakes = (value: unknown, place: string) => Iterable<string>;

/**
 * Check of an option. It accepts every value of the option's type. Otherwise the table of options
 * does not compile.
 */
export interface OptionCheck<in Value> {
  readonly find: FindMistakes;
  /** Checks of the nested options, if the value is an object of options. */
  readonly members?: Readonly<Record<string, OptionCheck<never>>>;
  /** Whether the option is required. `find` is then called for a missing value too. */
  readonly isRequired?: boolean;
  /** Never set. It makes the type depend on `Value`. */
  readonly accepts?: (value: Value) => void;
}

/** Checks of all options of an entry point. A table that lacks an option does not compile. */
export type OptionTable<Options extends object> = {
  readonly [Name in keyof Options]-?: OptionCheck<Exclude<Options[Name], undefined>>;
};

/** Correct names of options, by the wrong names that users write for them. */
export type OtherNames = Readonly<Record<string, string>>;

/**
 * Finds all mistakes in the options of an entry point, which may be any value. It reports unknown
 * options, with the most likely correct name, and invalid values. An undefined option counts as
 * absent.
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

/**
 * Throws an error if there are mistakes in options.
 * @throws TypeError that lists all mistakes. For a single mistake, its line is the message
 */
export function rejectMistakes(functionName: string, mistakes: Iterable<string>): void {
  const all = [...mistakes];
  if (all.length === 0) return;
  throw new TypeError(
    all.length === 1 ? all[0] : `${functionName}: ${all.length} mistakes in its options\n  ${all.join('\n  ')}`,
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
