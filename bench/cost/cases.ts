import { type GraphQLSchema, isAbstractType, parse, validate } from 'graphql';
import { benchSchemas, queryOf } from './schemas.js';

export interface BenchCase {
  name: string;
  schema: GraphQLSchema;
  text: string;
  variables: Record<string, unknown>;
}

/**
 * Returns queries of 10, 100 and 1,000 fields on both schemas, and 500 inline fragments on an
 * interface of hundreds of types.
 */
export function benchCases(): BenchCase[] {
  const cases = benchSchemas().flatMap(({ name, schema }) =>
    [10, 100, 1000].map((fields) => ({ name: `${name}, ${fields} fields`, schema, ...queryOf(schema, fields) })),
  );
  const { schema } = cases.at(-1)!;
  cases.push({
    name: 'octokit, 500 inline fragments on Node',
    schema,
    text: fragmentsOnNode(schema, 500),
    variables: {},
  });
  for (const { name, schema, text } of cases) {
    const [error] = validate(schema, parse(text), undefined, { maxErrors: 1 });
    if (error) throw new Error(`${name}: ${error.message}`);
  }
  return cases;
}

function fragmentsOnNode(schema: GraphQLSchema, count: number): string {
  const node = schema.getType('Node');
  if (!isAbstractType(node)) throw new Error('the schema has no interface Node');
  const types = schema.getPossibleTypes(node);
  const fragments = Array.from(
    { length: count },
    (_, at) => `... on ${types[at % types.length]!.name} { id a${at}: id }`,
  );
  return `{ node(id: "x") { ${fragments.join(' ')} } }`;
}
