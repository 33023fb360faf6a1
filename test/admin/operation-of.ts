import {
  type GraphQLField,
  type GraphQLInputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isNonNullType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql';

/** Returns a selection of the field with only its required arguments. */
export function selectionOf(field: GraphQLField<unknown, unknown>): string {
  const args = field.args.filter(isRequiredArgument).map((arg) => `${arg.name}: ${literal(arg.type)}`);
  const given = args.length > 0 ? `(${args.join(', ')})` : '';
  return `${field.name}${given} ${isLeafType(getNamedType(field.type)) ? '' : '{ __typename }'}`;
}

function literal(type: GraphQLInputType): string {
  const inner = isNonNullType(type) ? type.ofType : type;
  if (isInputObjectType(inner)) {
    const fields = Object.values(inner.getFields()).filter(isRequiredInputField);
    return `{ ${fields.map((field) => `${field.name}: ${literal(field.type)}`).join(', ')} }`;
  }
  if (isEnumType(inner)) return inner.getValues()[0]!.name;
  if (String(inner).startsWith('[')) return '[]';
  // False, because tests that call every field must not start the simulated callers of the sample
  // API: their operations would be counted too.
  return { Int: '1', SafeInt: '1', Boolean: 'false' }[String(inner)] ?? '"x"';
}
