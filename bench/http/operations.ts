import { loadWorld } from '../../packages/platform/src/world.js';

/** An operation of the sample API, with different variables on every call. */
export interface BenchOperation {
  query: string;
  variables(call: number): Record<string, unknown>;
}

const CODES = loadWorld().countries.map((country) => country.id);

export const OPERATIONS = {
  /** Reads one country. The operation takes little time, so Tollgate takes a large part of it. */
  small: {
    query: `query Small($code: ID!) {
      country(code: $code) { name capitals region { name } languages { name } currencies { name symbol } }
    }`,
    variables: (call) => ({ code: CODES[call % CODES.length] }),
  },
  /**
   * The operation that the platform prints as an example. It returns about twenty countries and
   * their neighbors, together about seventy objects.
   */
  typical: {
    query: 'query Typical($first: Int!) { countries(first: $first) { name borders { name } } }',
    variables: (call) => ({ first: 15 + (call % 10) }),
  },
  /** Nested lists, with about 300 objects in total. */
  nested: {
    query: `query Nested($first: Int!) {
      countries(first: $first) { name flag subregion { name } borders { name languages { name } } }
    }`,
    variables: (call) => ({ first: 20 + (call % 20) }),
  },
} as const satisfies Record<string, BenchOperation>;

export type OperationName = keyof typeof OPERATIONS;
export const OPERATION_NAMES = Object.keys(OPERATIONS) as OperationName[];
