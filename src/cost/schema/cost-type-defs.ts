/**
 * Definitions of the annotation directives, for a schema that is built from SDL:
 * `makeExecutableSchema({ typeDefs: [costTypeDefs, typeDefs] })`. `npm run generate` writes them to
 * `schema/directives.graphql`, for tools that read files.
 */
export const costTypeDefs = /* GraphQL */ `
"""
Cost of a call of this field, a value of this type, or a use of this argument or input field, in tokens. May be
negative. An integer literal is accepted where the schema language does not force a string. With \`perElement\`, each
element of the list that an argument or input field takes has this weight.
"""
directive @cost(
  weight: String!
  perElement: Boolean = false
) on ARGUMENT_DEFINITION | ENUM | FIELD_DEFINITION | INPUT_FIELD_DEFINITION | OBJECT | SCALAR

"""
Size of the list that this field returns, or, with \`sizedFields\`, of the lists on the object that it returns.
\`slicingArguments\` may be paths (\`page.first\`) or lists (their length); the largest given one counts, else
\`assumedSize\`.
"""
directive @listSize(
  assumedSize: Int
  slicingArguments: [String!]
  sizedFields: [String!]
  requireOneSlicingArgument: Boolean = true
) on FIELD_DEFINITION
`;
