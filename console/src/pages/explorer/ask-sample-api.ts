import { buildClientSchema, type GraphQLSchema, getIntrospectionQuery, type IntrospectionQuery } from 'graphql';

/** The sample API, which the platform serves beside the console in demo mode. */
const API = '/graphql';

/** Its callers; empty: without a key. */
export const DEMO_KEYS = ['demo-pro', 'demo-free', ''] as const;

export interface Asked {
  query: string;
  variables: Readonly<Record<string, unknown>>;
  key: string;
  /** `validate`: it is priced for the minimum, and nothing runs. @default it runs */
  wants?: 'validate';
}

export interface Answered {
  status: number;
  /** The whole answer, as it came. */
  body: unknown;
}

/** Runs an operation as one of the demo's callers: it is charged as everybody's. */
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

/** The schema of the sample API, for completion; undefined where it cannot be had. */
export async function readSampleSchema(): Promise<GraphQLSchema | undefined> {
  const { body } = await askSampleApi({ query: getIntrospectionQuery(), variables: {}, key: 'demo-pro' });
  const { data } = body as { data?: IntrospectionQuery | null };
  return data ? buildClientSchema(data) : undefined;
}
