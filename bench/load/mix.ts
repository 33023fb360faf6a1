import { OPERATIONS } from '../http/operations.js';

/** Callers of a load and the operations that they send. */
export interface Mix {
  /** API keys of users who do not empty their buckets. */
  keys: readonly string[];
  /** Number of callers without a key, each with its own address. */
  addresses: number;
  /**
   * API keys of users with small buckets, which they soon empty. The tokens of their admitted
   * operations are counted.
   */
  meteredKeys: readonly string[];
  /** Whether the mix includes writes, searches, mistakes and wrong keys, in addition to queries. */
  mistakes: boolean;
  /** Whether the mix contains only the cheapest query. @default false */
  cheap?: boolean;
  /**
   * Exponent of the Zipf distribution of the requests over the keys. Each key then has its own
   * address, and sends one query, a part of whose cost is refunded.
   * @default the keys send equally often, and different queries
   */
  zipf?: number;
  /** Number of the first request, so that several runs send different requests. @default 0 */
  firstNumber?: number;
}

export interface MixedRequest {
  headers: Record<string, string>;
  body: string;
  /** Index of the metered caller. */
  metered?: number;
  /**
   * Whether the API key belongs to no user. While PostgreSQL is unavailable, Tollgate cannot
   * recognize such a key as invalid.
   */
  isStranger?: boolean;
}

const WRITE = 'mutation { noteSave(input: { place: "SWE", text: "hej" }) { note { id } } }';
const SEARCH = '{ search(text: "an", first: 5) { __typename } }';
/** A query whose actual cost equals its estimated cost, so that nothing is refunded. */
const ONE = '{ country(code: "SE") { name } }';
const COUNTRIES = '{ countries(first: 100) { name } }';

/**
 * Returns a function that returns the request with a given number. The requests are the same in
 * every run.
 */
export function createRequests({
  keys,
  addresses,
  meteredKeys,
  mistakes,
  cheap = false,
  zipf,
  firstNumber = 0,
}: Mix): (number: number) => MixedRequest {
  const small = (call: number) => JSON.stringify({ ...OPERATIONS.small, variables: OPERATIONS.small.variables(call) });
  // The pages are small, because large pages would exceed the maximum cost of every tier.
  const nested = (call: number) => JSON.stringify({ ...OPERATIONS.nested, variables: { first: 5 + (call % 10) } });
  const [write, search, countries, one] = [WRITE, SEARCH, COUNTRIES, ONE].map((query) => JSON.stringify({ query })) as [
    string,
    string,
    string,
    string,
  ];
  if (zipf !== undefined) {
    const rankOf = ranks(keys.length, zipf);
    return (number) => {
      const rank = rankOf(scatter(firstNumber + number));
      return { headers: { 'x-api-key': keys[rank]!, 'x-forwarded-for': addressOf(rank) }, body: nested(number) };
    };
  }
  return (number) => {
    const address = addressOf(number % addresses);
    const withKey = (key: string) => ({ 'x-api-key': key, 'x-forwarded-for': address });
    const anonymous = { 'x-forwarded-for': address };
    const kind = scatter(number) % 100;
    if (meteredKeys.length > 0 && kind < 5) {
      const metered = number % meteredKeys.length;
      return { headers: withKey(meteredKeys[metered]!), body: cheap ? one : countries, metered };
    }
    if (mistakes && kind < 8) return { headers: anonymous, body: '{"query":"{ country(code: "}' };
    if (mistakes && kind < 10) return { headers: anonymous, body: '{"query":"{ nothing }"}' };
    if (mistakes && kind < 12) {
      return { headers: withKey(`wrong-${number % 50}`), body: small(number), isStranger: true };
    }
    const key = keys[scatter(number + 1) % keys.length]!;
    if (cheap) return { headers: kind < 60 ? withKey(key) : anonymous, body: one };
    if (mistakes && kind < 15) return { headers: withKey(key), body: write };
    if (mistakes && kind < 18) return { headers: withKey(key), body: search };
    if (kind < 28) return { headers: withKey(key), body: nested(number) };
    if (kind < 60) return { headers: withKey(key), body: small(number) };
    return { headers: anonymous, body: small(number) };
  };
}

/** Returns a function that assigns ranks from 0 to numbers of 24 bits, by a Zipf distribution. */
function ranks(count: number, exponent: number): (scattered: number) => number {
  const shares = new Float64Array(count);
  let total = 0;
  for (let rank = 0; rank < count; rank++) {
    total += (rank + 1) ** -exponent;
    shares[rank] = total;
  }
  return (scattered) => {
    const share = (scattered / 2 ** 24) * total;
    let low = 0;
    for (let high = count - 1; low < high; ) {
      const middle = (low + high) >> 1;
      if (shares[middle]! <= share) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

/** Returns one of 2^24 private addresses. */
function addressOf(number: number): string {
  return `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
}

/** Returns a pseudo-random whole number that depends only on the argument. */
function scatter(number: number): number {
  const mixed = Math.imul(number ^ (number >>> 16), 0x45d9f3b);
  return Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b) >>> 8;
}
