/**
 * Sends an operation as GraphiQL does. Returns a promise, or a stream of which only the first value
 * is used.
 */
export type Fetcher = (
  parameters: { query: string; variables?: unknown; operationName?: string | null },
  options?: { headers?: Record<string, string> },
) => unknown;

/** An operation in the editors. */
export interface WrittenOperation {
  query: string;
  /** JSON object as text, or empty. */
  variables: string;
  /** JSON object as text, or empty. */
  headers: string;
  operationName?: string | null | undefined;
}

interface PricedField {
  /** Coordinate such as `Query.users`. */
  coordinate: string;
  /** Maximum number of calls of the field. */
  calls: number;
  /** Maximum cost in tokens. */
  cost: number;
}

/**
 * Maximum cost of an operation in tokens, with its fields, the most expensive first. `fields` is
 * empty for callers without permission to see the costs of fields. `problem` is the reason why
 * there is no price.
 */
export type Price = { total: number; fields: readonly PricedField[] } | { problem: string };

interface Answer {
  data?: unknown;
  errors?: readonly { message: string }[];
  extensions?: { cost?: { requestedQueryCost?: unknown; fields?: readonly PricedField[] } };
}

const NOT_PRICED =
  'This API returns no price: it does not support "GraphQL-Cost: validate". Prices need Tollgate on the API, a tier whose callers ' +
  'receive the cost, and a CORS setting that allows the header (`allowedHeaders`). Your operations are not sent to it for pricing.';

/**
 * Creates a function that requests prices from the API with the header `GraphQL-Cost: validate`.
 * The API then runs nothing and charges one token to the caller.
 *
 * An API without Tollgate would ignore the header and run the unfinished operation, even a
 * mutation. The function therefore first sends `{ __typename }` with the given headers. If the
 * response has data, the function sends no other operation with these headers.
 */
export function createPricer(fetcher: Fetcher): (operation: WrittenOperation) => Promise<Price> {
  /**
   * Whether the API returns prices and runs nothing. The keys are the headers of requests, as JSON.
   */
  const found = new Map<string, Promise<boolean>>();

  async function ask(parameters: Parameters<Fetcher>[0], headers: Record<string, string>): Promise<Answer> {
    const result = await firstOf(fetcher(parameters, { headers: { ...headers, 'graphql-cost': 'validate' } }));
    return (Array.isArray(result) ? result[0] : result) as Answer;
  }

  function onlyPrices(headers: Record<string, string>): Promise<boolean> {
    const key = JSON.stringify(headers);
    let known = found.get(key);
    if (!known) {
      known = ask({ query: '{ __typename }' }, headers).then(isPriced);
      found.set(key, known);
      // The API may have been unavailable, so a failure is not cached.
      known.catch(() => found.delete(key));
    }
    return known;
  }

  return async ({ query, variables, headers, operationName }) => {
    const given = objectOf(variables);
    if (given === undefined) return { problem: 'The variables are not a JSON object.' };
    const sent = objectOf(headers) as Record<string, string> | undefined;
    if (sent === undefined) return { problem: 'The headers are not a JSON object.' };
    try {
      if (!(await onlyPrices(sent))) return { problem: NOT_PRICED };
      const answer = await ask({ query, variables: given, ...(operationName && { operationName }) }, sent);
      if (answer?.data) {
        found.set(JSON.stringify(sent), Promise.resolve(false));
        return { problem: NOT_PRICED };
      }
      const [error] = answer?.errors ?? [];
      const cost = answer?.extensions?.cost;
      const total = cost?.requestedQueryCost;
      if (error || typeof total !== 'number') {
        return { problem: error?.message ?? 'The response of the API has no price.' };
      }
      return { total, fields: [...(cost?.fields ?? [])].sort((a, b) => b.cost - a.cost) };
    } catch (error) {
      return { problem: `The API does not respond: ${error instanceof Error ? error.message : String(error)}` };
    }
  };
}

function isPriced({ data, extensions }: Answer): boolean {
  return !data && typeof extensions?.cost?.requestedQueryCost === 'number';
}

function objectOf(text: string): object | undefined {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

interface Subscribable {
  subscribe(observer: { next(value: unknown): void; error(error: unknown): void; complete(): void }): {
    unsubscribe(): void;
  };
}

/**
 * Returns the first result of a fetcher, which may return a promise, an async iterable or an
 * observable.
 */
async function firstOf(answer: unknown): Promise<unknown> {
  const value = await answer;
  if (isStream(value)) {
    for await (const one of value) return one;
    return undefined;
  }
  if (!isSubscribable(value)) return value;
  let subscription: ReturnType<Subscribable['subscribe']> | undefined;
  try {
    return await new Promise((resolve, reject) => {
      subscription = value.subscribe({ next: resolve, error: reject, complete: () => resolve(undefined) });
    });
  } finally {
    subscription?.unsubscribe();
  }
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

function isSubscribable(value: unknown): value is Subscribable {
  return typeof value === 'object' && value !== null && 'subscribe' in value && typeof value.subscribe === 'function';
}
