import { makeExecutableSchema } from '@graphql-tools/schema';

const typeDefs = `
  type Query {
    users(first: Int): [User!]!
    user(id: ID!): User
  }
  type User {
    id: ID!
    name: String!
    friends(first: Int = 10): [User!]!
  }
`;

const userAt = (index) => ({ id: String(index), name: `User ${index}` });
const usersFrom = (start, count) => Array.from({ length: count }, (_, offset) => userAt(start + offset));

const resolvers = {
  Query: {
    users: (_, { first }) => usersFrom(0, Math.min(first ?? 10, 100)),
    user: (_, { id }) => userAt(Number(id)),
  },
  User: { friends: ({ id }, { first }) => usersFrom(Number(id) + 1, first) },
};

export const schema = makeExecutableSchema({ typeDefs, resolvers });
