import { type GraphQLField, getNullableType, isInputObjectType } from 'graphql';
import {
  findSizingArguments,
  isNumber,
  isSizingNumber,
  MEASURES,
  numberNameOf,
  SETTINGS,
  type SizingArgument,
} from './sizing-arguments.js';

interface SizeLikeOptions {
  /** Names that the options exclude, because they have another meaning in this schema. */
  readonly excluded: ReadonlySet<SizingArgument>;
  /** Whether the field is a mutation. Its numbers are often quantities, such as those of a cart. */
  readonly isMutation: boolean;
}

/** Names that mean a list size on their own. */
const SIZES =
  /^(amount|quantity|length|total|num|nb|k|records|results|items|entries|hits|fetch|chunk|batch|(top|first|last)[nk])$/;
/**
 * Last words of names that mean a list size if the word before them names the items: `resultCount`.
 * The word `number` is absent, because `pageNumber` is a position.
 */
const SIZE_OF = /^(limit|count|size|length|len|amount|top|take|max)$/;
const ITEMS =
  /^(page|list|batch|chunk|fetch|query|result|item|row|record|entry|entrie|node|element|object|doc|document|hit|match|data)s?$/;
/** First words of names that mean a list size if a plural noun follows: `numResults`. */
const SIZE_BEFORE = /^(num|number|nb|limit|take|fetch|first|last|top|how)$/;

/**
 * Returns the paths of the integer arguments that look like the size of the list of a field. The
 * result includes names that Tollgate does not use to infer sizes, because the current options
 * disable them or because they are too ambiguous.
 */
export function findSizeLikeArguments(
  field: GraphQLField<unknown, unknown>,
  { excluded, isMutation }: SizeLikeOptions,
): readonly string[] {
  const counts = (name: SizingArgument) => !excluded.has(name) && !LISTS.has(name);
  const known = findSizingArguments(field, { counts, isMutation }).paths;
  if (known.length > 0 || isMutation) return known;
  return field.args.flatMap(({ name, type }) => {
    if (numberNameOf(name) === undefined && isNumber(type, 'max', true) && isSizeLike(name, field.name)) return [name];
    const object = getNullableType(type);
    if (!SETTINGS.test(name) || !isInputObjectType(object)) return [];
    const members = Object.values(object.getFields());
    return members
      .filter((member) => isSizingNumber(member, members, { counts, isMutation }, { paths: [], hasLoose: false }))
      .map((member) => `${name}.${member.name}`);
  });
}

const LISTS: ReadonlySet<string> = new Set<SizingArgument>(['ids', 'representations', 'inputs']);

function isSizeLike(name: string, fieldName: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_')
    .filter((word) => word !== '');
  const [first = '', ...others] = words;
  const last = others.at(-1);
  if (SIZES.test(words.join(''))) return true;
  if (last === undefined) return false;
  if (first.startsWith('min') || MEASURES.test(`${first}s`)) return false;
  const noun = words.at(-2)!;
  if (SIZE_OF.test(last)) return ITEMS.test(noun) || fieldName.toLowerCase().includes(noun);
  return SIZE_BEFORE.test(first) && /[^s]s$|^many$/.test(last) && !MEASURES.test(last);
}
