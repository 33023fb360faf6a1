import { buildClientSchema, type GraphQLSchema, getIntrospectionQuery, type IntrospectionQuery } from 'graphql';

/** Path of the sample API, which the platform serves next to the console in demo mode. */
const API = '/graphql';

/** Keys of the demo callers. Empty: the operation is sent without a key. */
export const DEMO_KEYS = ['demo-pro', 'demo-free', ''] as const;

export interface Asked {
  query: string;
  variables: Readonly<Record<string, unknown>>;
  key: string;
  /**
   * Mode `validate`: the API computes the price, charges the minimum cost of an operation, and does
   * not run the operation.
   * @default the API runs the operation
   */
  wants?: 'validate';
}

export interface Answered {
  status: number;
  /** Complete response, unchanged. */
  body: unknown;
}

/** Runs an operation as one of the demo callers. It is charged like any other operation. */
export async function askSampleApi({ query, variables, key, wants }: Asked, signal?: AbortSignal): Promise<Answered> {
  const response = await fetch(API, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'graphql-cost': wants ?? 'report',
      ...(key && { 'x-api-key': key }),
    },
    credentials: 'omit',
    body: JSON.stringify({ query, variables }),
    ...(signal && { signal }),
  });
  return { status: response.status, body: await response.json() };
}

/** Returns the schema of the sample API, for completion. Undefined if it is unavailable. */
export async function readSampleSchema(): Promise<GraphQLSchema | undefined> {
  const { body } = await askSampleApi({ query: getIntrospectionQuery(), variables: {}, key: 'demo-pro' });
  const { data } = body as { data?: IntrospectionQuery | null };
  return data ? buildClientSchema(data) : undefined;
}
