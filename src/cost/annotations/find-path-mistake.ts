import {
  type GraphQLField,
  type GraphQLInputType,
  getNullableType,
  isInputObjectType,
  isLeafType,
  isListType,
  isScalarType,
  isSpecifiedScalarType,
} from 'graphql';

/**
 * Returns the mistake in a path such as `page.first`. A path must lead to a number or to a list.
 * Returns undefined if the path is correct.
 * @param opensScalars whether a path may lead into a custom scalar, whose values may be objects
 */
export function findPathMistake(
  { args }: GraphQLField<unknown, unknown>,
  path: string,
  { opensScalars }: { opensScalars: boolean },
): string | undefined {
  const [name, ...below] = path.split('.');
  let type: GraphQLInputType | undefined = args.find((argument) => argument.name === name)?.type;
  if (type === undefined) return `unknown argument "${name}"`;
  for (const step of below) {
    const object: GraphQLInputType = getNullableType(type);
    if (opensScalars && isScalarType(object) && !isSpecifiedScalarType(object)) return undefined;
    type = isInputObjectType(object) ? object.getFields()[step]?.type : undefined;
    if (type === undefined) return `"${path}" leads to no input field "${step}"`;
  }
  const last = getNullableType(type);
  if (isListType(last) || (isLeafType(last) && !['String', 'Boolean', 'ID'].includes(last.name))) return undefined;
  return `"${path}" is ${String(type)}, neither a number nor a list`;
}
