import { makeExecutableSchema } from '@graphql-tools/schema';

const typeDefs = `
  type Query {
    stations(first: Int, after: ID): [Station!]!
    departures(station: ID!, limit: Int = 5): [Departure!]!
  }
  type Station {
    id: ID!
    name: String!
    departures(limit: Int = 5): [Departure!]!
  }
  type Departure {
    line: String!
    minutes: Int!
  }
`;

const stations = Array.from({ length: 200 }, (_, index) => ({ id: String(index), name: `Station ${index}` }));
const departuresOf = (id, limit) =>
  Array.from({ length: Math.min(limit, 20) }, (_, index) => ({ line: `${id}${index}`, minutes: 3 * index }));

const resolvers = {
  Query: {
    stations: (_, { first, after }) => {
      const start = after === undefined || after === null ? 0 : Number(after) + 1;
      return stations.slice(start, start + Math.min(first ?? 10, 100));
    },
    departures: (_, { station, limit }) => departuresOf(station, limit),
  },
  Station: { departures: ({ id }, { limit }) => departuresOf(id, limit) },
};

export const schema = makeExecutableSchema({ typeDefs, resolvers });
