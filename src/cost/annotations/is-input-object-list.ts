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
 * Returns whether an input filters or sorts the items of a list, judged by its name and type. The
 * length of such an input does not determine the number of items.
 */
function isFilter({ name, type }: Input): boolean {
  return FILTER_NAME.test(name) || FILTER_TYPE.test(getNamedType(type).name);
}

/** Returns whether an argument is a list of input objects that is not a filter. */
export function isInputObjectList(input: Input): boolean {
  return isListType(getNullableType(input.type)) && isInputObjectType(getNamedType(input.type)) && !isFilter(input);
}

/** Returns whether an argument is a list of ids that is not a filter. */
export function isIdList(input: Input): boolean {
  const named = getNamedType(input.type);
  if (!isListType(getNullableType(input.type)) || !isScalarType(named) || isFilter(input)) return false;
  return (
    named === GraphQLID || /(^|_)id(s|_in)?$|I[dD]s$/.test(input.name) || /(^|[a-z_])(id|uuid|guid)$/i.test(named.name)
  );
}

/**
 * Returns whether an argument is a list of scalars that can identify objects, such as e-mail
 * addresses, keys or article numbers.
 */
export function isValueList(input: Input): boolean {
  const named = getNamedType(input.type);
  return isListType(getNullableType(input.type)) && isScalarType(named) && named !== GraphQLBoolean && !isFilter(input);
}
