import { makeExecutableSchema } from '@graphql-tools/schema';

const typeDefs = `
  type Query {
    books(limit: Int, offset: Int): [Book!]!
  }
  type Book {
    id: ID!
    title: String!
  }
`;

const books = Array.from({ length: 500 }, (_, index) => ({ id: String(index), title: `Book ${index}` }));

const resolvers = {
  Query: {
    books: (_, { limit, offset }) => books.slice(offset ?? 0, (offset ?? 0) + Math.min(limit ?? 10, 100)),
  },
};

export const schema = makeExecutableSchema({ typeDefs, resolvers });
