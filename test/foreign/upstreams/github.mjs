import { createServer } from 'node:http';
import { addMocksToSchema } from '@graphql-tools/mock';
import { schema as github } from '@octokit/graphql-schema';
import { buildSchema, extendSchema, parse } from 'graphql';
import { createHandler } from 'graphql-http/lib/use/http';

// An API with GitHub's schema and mock data. After SIGUSR2, the schema has one more field.
const real = buildSchema(github.idl, { assumeValidSDL: true });
const scalars = Object.values(real.getTypeMap()).filter((type) => type.constructor.name === 'GraphQLScalarType');
const own = ['Int', 'Float', 'String', 'Boolean', 'ID'];
const mocks = Object.fromEntries(
  scalars.filter(({ name }) => !own.includes(name)).map(({ name }) => [name, () => 'x']),
);
let schema = addMocksToSchema({ schema: real, mocks });
process.on('SIGUSR2', () => {
  const more = parse('extend type Query { zen(first: Int!): [Zen!]! } type Zen { text: String }');
  schema = addMocksToSchema({ schema: extendSchema(real, more, { assumeValidSDL: true }), mocks });
  process.stdout.write('changed\n');
});

let served = 0;
const handler = createHandler({ schema: () => schema });
const server = createServer((request, response) => {
  response.setHeader('x-served', ++served);
  return handler(request, response);
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${server.address().port}/graphql\n`));
