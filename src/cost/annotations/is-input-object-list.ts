import {
  GraphQLBoolean,
  GraphQLID,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  isScalarType,
} from 'graphql';

interface Input {
  readonly name: string;
  readonly type: GraphQLInputType;
}

const FILTER_NAME =
  /^_?(and|or|not|where|having|match|include|exclude|expand|order|sorts?|ordering|sorting|group|distinct|conditions?|criteria|facets?|filters?|fields?)$|(filters?|where|(order|sort|group)_?by|distinct_?on|conditions?|criteria|facets?|sorts?|sorting|ordering)$/i;
const FILTER_TYPE =
  /(filters?|where|bool_?exp|order_?by|sort|sorting|ordering|conditions?|criteria|facets?)(_?(inputs?|types?|args?|options?))?$/i;

/**
 * Whether an input selects or orders the items, judged by its name and type. Its length does not
 * show the number of items.
 */
function isFilter({ name, type }: Input): boolean {
  return FILTER_NAME.test(name) || FILTER_TYPE.test(getNamedType(type).name);
}

/** Whether an argument is a list of input objects to process, as opposed to a filter. */
export function isInputObjectList(input: Input): boolean {
  return isListType(getNullableType(input.type)) && isInputObjectType(getNamedType(input.type)) && !isFilter(input);
}

/** Whether an argument is a list of ids. */
export function isIdList(input: Input): boolean {
  const named = getNamedType(input.type);
  if (!isListType(getNullableType(input.type)) || !isScalarType(named) || isFilter(input)) return false;
  return (
    named === GraphQLID || /(^|_)id(s|_in)?$|I[dD]s$/.test(input.name) || /(^|[a-z_])(id|uuid|guid)$/i.test(named.name)
  );
}

/**
 * Whether an argument is a list of other values that can identify things: addresses, keys, article
 * numbers.
 */
export function isValueList(input: Input): boolean {
  const named = getNamedType(input.type);
  return isListType(getNullableType(input.type)) && isScalarType(named) && named !== GraphQLBoolean && !isFilter(input);
}
