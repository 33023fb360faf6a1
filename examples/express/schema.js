import { makeExecutableSchema } from '@graphql-tools/schema';

const typeDefs = `
  type Query {
    books(limit: Int, offset: Int): [Book!]!
    search(text: String!, limit: Int = 5): [Book!]!
    shelf(first: Int, after: ID): BookConnection!
  }
  type Book {
    id: ID!
    title: String!
  }
  type BookConnection {
    edges: [BookEdge!]!
    nodes: [Book!]!
  }
  type BookEdge {
    cursor: ID!
    node: Book!
  }
`;

const books = Array.from({ length: 500 }, (_, index) => ({ id: String(index), title: `Book ${index}` }));

const resolvers = {
  Query: {
    books: (_, { limit, offset }) => books.slice(offset ?? 0, (offset ?? 0) + Math.min(limit ?? 10, 100)),
    search: (_, { text, limit }) => books.filter(({ title }) => title.includes(text)).slice(0, limit),
    shelf: (_, { first, after }) => {
      const start = after === undefined || after === null ? 0 : Number(after) + 1;
      const nodes = books.slice(start, start + Math.min(first ?? 10, 100));
      return { nodes, edges: nodes.map((node) => ({ node, cursor: node.id })) };
    },
  },
};

export const schema = makeExecutableSchema({ typeDefs, resolvers });
