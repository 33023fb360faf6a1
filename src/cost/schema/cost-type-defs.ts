/**
 * Definitions of the annotation directives, for a schema that is built from SDL:
 * `makeExecutableSchema({ typeDefs: [costTypeDefs, typeDefs] })`. `npm run generate` writes them to
 * `schema/directives.graphql`, for tools that read files.
 */
export const costTypeDefs = /* GraphQL */ `
"""
Cost in tokens of a call of this field, a value of this type, or a value of this argument or input field. The cost may
be negative. An integer literal is accepted too, unless another tool requires a string. With \`perElement\`, the cost
applies to each element of the list that is the value of the argument or input field.
"""
directive @cost(
  weight: String!
  perElement: Boolean = false
) on ARGUMENT_DEFINITION | ENUM | FIELD_DEFINITION | INPUT_FIELD_DEFINITION | OBJECT | SCALAR

"""
Size of the list that this field returns. With \`sizedFields\`, it is the size of these lists of the returned object.
\`slicingArguments\` are arguments, or paths such as \`page.first\`. The largest of their values is the size, and the
length counts if a value is a list. If all of them are absent, the size is \`assumedSize\`.
"""
directive @listSize(
  assumedSize: Int
  slicingArguments: [String!]
  sizedFields: [String!]
  requireOneSlicingArgument: Boolean = true
) on FIELD_DEFINITION
`;
