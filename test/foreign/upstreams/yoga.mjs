import { createServer } from 'node:http';
import { createSchema, createYoga } from 'graphql-yoga';

// An API with books. After SIGUSR2, it also has shelves.
const books = Array.from({ length: 30 }, (_, at) => ({ id: at, title: `Book ${at}` }));
const typeDefs = /* GraphQL */ `
  type Query { books(first: Int!): [Book!]!, book(id: Int!): Book }
  type Mutation { rename(id: Int!, title: String!): Book }
  type Book { id: Int!, title: String!, related(first: Int = 5): [Book!]! }
`;
const resolvers = {
  Query: {
    books: (_, { first }) => books.slice(0, first),
    book: (_, { id }) => books[id],
    shelves: () => [],
  },
  Mutation: { rename: (_, { id, title }) => Object.assign(books[id], { title }) },
  Book: { related: ({ id }, { first }) => books.filter((book) => book.id !== id).slice(0, first) },
};
const { shelves: _, ...before } = resolvers.Query;
let schema = createSchema({ typeDefs, resolvers: { ...resolvers, Query: before } });
process.on('SIGUSR2', () => {
  const more = 'extend type Query { shelves(first: Int!): [Shelf!]! } type Shelf { name: String }';
  schema = createSchema({ typeDefs: [typeDefs, more], resolvers });
  process.stdout.write('changed\n');
});

let served = 0;
const yoga = createYoga({ schema: () => schema, logging: false });
const server = createServer((request, response) => {
  response.setHeader('x-served', ++served);
  return yoga(request, response);
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${server.address().port}/graphql\n`));
