import {
  type GraphQLArgument,
  type GraphQLField,
  GraphQLFloat,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLInt,
  getNullableType,
  isInputObjectType,
  isListType,
  isScalarType,
  isSpecifiedScalarType,
} from 'graphql';
import { isIdList, isInputObjectList, isValueList } from './is-input-object-list.js';

/**
 * Names of arguments that size lists. Each name also stands for its other spellings, see
 * `numberNameOf`.
 */
export const SIZING_ARGUMENTS = [
  ...(['first', 'last', 'limit', 'take', 'pageSize', 'perPage', 'batchSize'] as const),
  ...(['count', 'size', 'top', 'max', 'rows', 'n'] as const),
  ...(['ids', 'representations', 'inputs'] as const),
] as const;

export type SizingArgument = (typeof SIZING_ARGUMENTS)[number];

const LISTS: ReadonlySet<string> = new Set<SizingArgument>(['ids', 'representations', 'inputs']);

/** Arguments that size the lists of a field, as paths. */
export interface SizingArguments {
  readonly paths: readonly string[];
  /**
   * Deepest level at which the arguments may set a size below the default list size. The field
   * itself is at level 0. At deeper levels, a list has at least the default size. If negative,
   * lists at every level have at least the default size.
   */
  readonly exactLevels: number;
}

interface SizingOptions {
  /** Whether an argument of this name may size lists. */
  readonly counts: (name: SizingArgument) => boolean;
  /** Whether the field is a mutation, which processes its lists of inputs. */
  readonly isMutation: boolean;
}

type Input = GraphQLArgument | GraphQLInputField;

const NONE: SizingArguments = { paths: [], exactLevels: Number.POSITIVE_INFINITY };

/** Finds the arguments of a field that size its lists, judged by their names and types. */
export function findSizingArguments(field: GraphQLField<unknown, unknown>, options: SizingOptions): SizingArguments {
  if (field.args.length === 0) return NONE;
  const numbers = findNumbers(field, options);
  const lists = findLists(field, numbers.paths.length > 0, options);
  if (lists.paths.length === 0) return numbers;
  return {
    paths: [...numbers.paths, ...lists.paths],
    exactLevels: Math.min(numbers.exactLevels, lists.exactLevels),
  };
}

// ---- numbers

/**
 * Names that filters also use. In a filter, such an argument compares a property of the items. It
 * does not limit their number.
 */
const AMBIGUOUS: ReadonlySet<string> = new Set<SizingArgument>(['count', 'size', 'top', 'max', 'rows', 'n']);

const SPELLINGS: Readonly<Record<string, SizingArgument>> = {
  ...Object.fromEntries(SIZING_ARGUMENTS.map((name) => [name.toLowerCase(), name])),
  pagelimit: 'limit',
  rowlimit: 'limit',
  resultlimit: 'limit',
  pagelength: 'pageSize',
  chunksize: 'batchSize',
  maximum: 'max',
};

/** Nouns after `max` that can name the items of any list. */
const ITEMS = /^(result|item|record|row|hit|entr(y|ie)|document|doc|node|edge|element|object|match(e)?|per_?page)s?$/i;
const AMOUNTS = /^(count|number|num|size|page_?size|limit|amount)$/i;
/**
 * Plural nouns after `max` that are a property of an item, such as its duration, instead of the
 * number of items.
 */
export const MEASURES =
  /(days|weeks|months|years|hours|minutes|seconds|millis|meters|metres|kilometers|miles|bytes|pixels|points|credits|tokens|guests|persons|adults|beds|rooms|seats|levels|stars|votes|likes|views|calories|dollars|cents|retries|attempts|redirects)$/i;

/** Name that counts as a sizing argument. */
interface NumberName {
  readonly name: SizingArgument;
  /**
   * Whether the name is `max` with any plural noun, such as `maxRepositories`. Such a name possibly
   * does not mean a size.
   */
  readonly isLoose: boolean;
}

/**
 * Returns the sizing argument that a name is a spelling of: `per_page`, `_size`, `maxRepositories`.
 * Returns undefined if there is none.
 */
export function numberNameOf(name: string): NumberName | undefined {
  const plain = name.replaceAll('_', '').toLowerCase();
  const known = Object.hasOwn(SPELLINGS, plain) ? SPELLINGS[plain] : undefined;
  if (known !== undefined && !LISTS.has(known)) return { name: known, isLoose: false };
  if (/^(?:hits|items|results|records|rows|entries|docs)?perpage$/.test(plain))
    return { name: 'perPage', isLoose: false };
  const noun = /^max(?:_(?=[a-z])|(?=[A-Z]))(\w+)$/.exec(name)?.[1];
  if (noun === undefined) return undefined;
  if (ITEMS.test(noun) || AMOUNTS.test(noun)) return { name: 'max', isLoose: false };
  return /[^s]s$/i.test(noun) && !MEASURES.test(noun) ? { name: 'max', isLoose: true } : undefined;
}

/**
 * Sibling arguments that show that an argument is the bound of a range, a coordinate or a dimension
 * instead of a list size.
 */
const NOT_TOGETHER_WITH: Readonly<Partial<Record<SizingArgument, RegExp>>> = {
  max: /^min/i,
  top: /^(left|right|bottom)$/i,
  rows: /^col(umn)?s$/i,
  size: /^(width|height)$/i,
};

const INTEGER = /int|long|number|numeric|amount|count|size|limit|unsigned|natural|positive|short|quantity/i;
/** Words that contain a match of `INTEGER` but do not mean an integer. */
const NO_INTEGER_WORDS = /point|print|interval|country|account|discount/gi;
/** Names of scalars whose values cannot be list sizes. */
const NO_INTEGER =
  /cursor|token|string|text|char|date|time|json|id$|uuid|guid|ur[il]|key|code|name|hash|base64|any|map|object|upload|file|mail|bool|money|price|currency|colou?r|point|interval|print/i;

/** Returns whether an argument of this name and type can be a number that sizes a list. */
export function isNumber(type: GraphQLInputType, name: SizingArgument, isAmbiguous: boolean): boolean {
  const nullable = getNullableType(type);
  if (nullable === GraphQLInt) return true;
  // Code-first frameworks map the TypeScript type `number` to Float, so a list size may be a Float.
  // A `max` of type Float is more likely the bound of a price.
  if (nullable === GraphQLFloat) return name !== 'max';
  if (!isScalarType(nullable) || isSpecifiedScalarType(nullable)) return false;
  const { name: scalar } = nullable;
  if (INTEGER.test(scalar.replace(NO_INTEGER_WORDS, ''))) return true;
  return !isAmbiguous && !NO_INTEGER.test(scalar);
}

interface FoundNumbers {
  readonly paths: string[];
  hasLoose: boolean;
}

function findNumbers(field: GraphQLField<unknown, unknown>, options: SizingOptions): SizingArguments {
  const found: FoundNumbers = { paths: [], hasLoose: false };
  for (const input of field.args) {
    if (isSizingNumber(input, field.args, options, found)) found.paths.push(input.name);
    else addNumbersIn(input, input.name, MAX_NESTING, options, found);
  }
  return { paths: found.paths, exactLevels: found.hasLoose ? -1 : Number.POSITIVE_INFINITY };
}

/**
 * Returns whether an input is a number that sizes a list. Sets `found.hasLoose` if its name is
 * loose (`NumberName`).
 */
export function isSizingNumber(
  { name, type }: Input,
  siblings: readonly Input[],
  { counts }: SizingOptions,
  found: FoundNumbers,
): boolean {
  const number = numberNameOf(name);
  if (number === undefined || !counts(number.name)) return false;
  if (!isNumber(type, number.name, AMBIGUOUS.has(number.name))) return false;
  const excluding = NOT_TOGETHER_WITH[number.name];
  if (excluding !== undefined && siblings.some((sibling) => excluding.test(sibling.name))) return false;
  if (number.isLoose) found.hasLoose = true;
  return true;
}

/**
 * Number of levels of nested input objects to search. If an input object contains its own type, the
 * search stops one level below.
 */
const MAX_NESTING = 2;
const PAGE = /^_?pag(e|ing|inat|er)/i;
export const SETTINGS =
  /^_?(options?|opts|query|params?|input|args|arguments|request|list|listing|cursor|slice|window|search)$/i;
/**
 * Sibling members that show that an input object describes a page, so that even an ambiguous name
 * is a page size.
 */
const PAGE_MEMBERS =
  /^_?(offset|skip|from|page|page_?(number|no|index|token)|current_?page|after|before|cursor|start|start_?index|next_?token)$/i;

function addNumbersIn(
  { name, type }: Input,
  path: string,
  nesting: number,
  options: SizingOptions,
  found: FoundNumbers,
): void {
  const object = getNullableType(type);
  if (!isInputObjectType(object)) return;
  const members = Object.values(object.getFields());
  const isPage = PAGE.test(name) || isOfPage(object) || members.some((member) => PAGE_MEMBERS.test(member.name));
  for (const member of members) {
    const isAmbiguous = AMBIGUOUS.has(numberNameOf(member.name)?.name ?? '');
    if ((isPage || !isAmbiguous) && isSizingNumber(member, members, options, found)) {
      found.paths.push(`${path}.${member.name}`);
    } else if (nesting > 0 && (PAGE.test(member.name) || SETTINGS.test(member.name))) {
      const isOfSameType = getNullableType(member.type) === object;
      addNumbersIn(member, `${path}.${member.name}`, isOfSameType ? 0 : nesting - 1, options, found);
    }
  }
}

function isOfPage({ name }: GraphQLInputObjectType): boolean {
  return /pag(e|ing|inat)/i.test(name);
}

// ---- lists

/**
 * Finds list arguments whose length sizes the result. `ids` and `representations` set the exact
 * size, and so do lists of ids or input objects that are arguments of a mutation. Any other list
 * may be a filter. Therefore it can make the estimated list longer than the default, but not
 * shorter.
 */
function findLists(
  field: GraphQLField<unknown, unknown>,
  hasNumbers: boolean,
  { counts, isMutation }: SizingOptions,
): SizingArguments {
  const named = field.args.filter(({ name, type }) => {
    const sizing = name === 'ids' || name === 'representations' ? name : undefined;
    return sizing !== undefined && counts(sizing) && isListType(getNullableType(type));
  });
  if (!isMutation && (named.length > 0 || hasNumbers)) return listsOf(named, 1);
  if (!counts('inputs')) return listsOf(named, 1);
  const direct = field.args.filter((input) => named.includes(input) || isInputObjectList(input) || isIdList(input));
  if (direct.length > 0) return listsOf(direct, isMutation ? 1 : -1);
  const nested = field.args.flatMap((input) => listsIn(input));
  if (nested.length > 0) return { paths: nested, exactLevels: -1 };
  return isMutation ? listsOf(field.args.filter(isValueList), -1) : NONE;
}

function listsOf(inputs: readonly Input[], exactLevels: number): SizingArguments {
  return inputs.length === 0 ? NONE : { paths: inputs.map(({ name }) => name), exactLevels };
}

const INPUT = /^_?(input|data|payload|params?|request|args|command)$/i;

/**
 * Returns the lists in the single input object that many APIs use as the only argument of each
 * mutation.
 */
function listsIn({ name, type }: Input): string[] {
  const object = getNullableType(type);
  if (!INPUT.test(name) || !isInputObjectType(object)) return [];
  return Object.values(object.getFields())
    .filter((member) => isInputObjectList(member) || isIdList(member))
    .map((member) => `${name}.${member.name}`);
}
