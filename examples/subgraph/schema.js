import { buildSubgraphSchema } from '@apollo/subgraph';
import { parse } from 'graphql';

const typeDefs = parse(`
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@external", "@requires"])

  type Query {
    products(first: Int): [Product!]!
  }
  type Product @key(fields: "id") {
    id: ID!
    name: String!
    weight: Int @external
    shippingCents: Int @requires(fields: "weight")
  }
`);

const productAt = (index) => ({ id: String(index), name: `Product ${index}` });

const resolvers = {
  Query: {
    products: (_, { first }) => Array.from({ length: Math.min(first ?? 10, 100) }, (_, index) => productAt(index)),
  },
  Product: {
    __resolveReference: ({ id, weight }) => ({ ...productAt(Number(id)), weight }),
    shippingCents: ({ weight }) => (weight === undefined ? null : weight * 3),
  },
};

export const schema = buildSubgraphSchema([{ typeDefs, resolvers }]);
