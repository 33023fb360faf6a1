import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  getNamedType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  parse,
} from 'graphql';

export interface BenchResponse {
  document: DocumentNode;
  data: unknown;
}

const QUERY = `{ countries(first: COUNT) {
  code name region { name } languages { code name } borders { code name region { name } currencies { code name } }
} }`;

/**
 * Returns about a megabyte of a typical response of the sample API, as graphql-js builds it during
 * execution.
 */
export function responseOfAMegabyte(schema: GraphQLSchema): BenchResponse {
  let count = 50;
  for (;;) {
    const document = parse(QUERY.replace('COUNT', String(count)));
    const { data, errors } = execute({
      schema,
      document,
      rootValue: {},
      fieldResolver: (_source, args: { first?: number }, _context, { returnType, fieldName }) => {
        const type = isNonNullType(returnType) ? returnType.ofType : returnType;
        const one = isObjectType(getNamedType(type))
          ? {}
          : isScalarType(getNamedType(type))
            ? `text of ${fieldName}`
            : null;
        return isListType(type) ? Array.from({ length: args.first ?? 6 }, () => one) : one;
      },
    }) as ExecutionResult;
    if (errors) throw errors[0]!;
    const size = JSON.stringify(data).length;
    if (size >= 1_000_000) return { document, data };
    count = Math.ceil((count * 1_010_000) / size);
  }
}
