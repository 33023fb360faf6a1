import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client/core';
import { Client, fetchExchange } from '@urql/core';
import { type DocumentNode, parse } from 'graphql';
import { GraphQLClient } from 'graphql-request';
import { tollgateLink } from '../../packages/client/src/apollo.js';
import { createPacedFetch } from '../../packages/client/src/paced-fetch.js';
import { tollgateExchange } from '../../packages/client/src/urql.js';

/** Counts of the HTTP traffic. */
export interface Counts {
  sent: number;
  denied: number;
  /** Responses with data, of operations that ran. */
  ran: number;
  /** Tokens charged for the operations that ran. */
  charged: number;
}

export interface ClientOptions {
  url: string;
  headers?: Record<string, string>;
  counts: Counts;
  /** Whether `tollgate-client` paces the client's `fetch`. */
  isPaced: boolean;
}

/** Sends an operation. Throws if it is denied. */
export type Send = (query: string, variables: Record<string, unknown>) => Promise<unknown>;

/** Real GraphQL clients, configured as in production. */
export const CLIENTS: Record<string, (options: ClientOptions) => Send> = {
  'graphql-request'({ url, headers = {}, counts, isPaced }) {
    const send = countingFetch(counts);
    const client = new GraphQLClient(url, { headers, fetch: isPaced ? createPacedFetch(send) : send });
    return (query, variables) => client.request(query, variables);
  },
  'Apollo Client'({ url, headers = {}, counts, isPaced }) {
    const http = new HttpLink({ uri: url, headers, fetch: countingFetch(counts) });
    const link = isPaced ? ApolloLink.from([tollgateLink(), http]) : http;
    const client = new ApolloClient({ cache: new InMemoryCache(), link });
    const documents = new Map<string, DocumentNode>();
    const context = { queryDeduplication: false };
    return (text, variables) => {
      const query = documents.get(text) ?? parse(text);
      documents.set(text, query);
      return client.query({ query, variables, fetchPolicy: 'no-cache', context });
    };
  },
  urql({ url, headers = {}, counts, isPaced }) {
    const exchanges = isPaced ? [tollgateExchange(), fetchExchange] : [fetchExchange];
    const fetchOptions = { headers };
    const client = new Client({ url, preferGetMethod: false, fetch: countingFetch(counts), fetchOptions, exchanges });
    let number = 0;
    return async (query, variables) => {
      // urql sends identical operations in flight as one request, so each call has a different
      // variable.
      const { error } = await client
        .query(query, { ...variables, call: String(number++) }, { requestPolicy: 'network-only' })
        .toPromise();
      if (error) throw error;
    };
  },
};

function countingFetch(counts: Counts): typeof fetch {
  return async (input, init) => {
    counts.sent++;
    const response = await fetch(input, init);
    if (response.status === 429) counts.denied++;
    else {
      const { data, extensions } = (await response.clone().json()) as {
        data?: unknown;
        extensions?: { cost?: { actualQueryCost?: number } };
      };
      if (data) counts.ran++;
      counts.charged += extensions?.cost?.actualQueryCost ?? 0;
    }
    return response;
  };
}

/**
 * Bounds of the backoff after a denial, for clients without pacing. The backoff is exponential,
 * with jitter, as is usual.
 */
const FIRST_BACKOFF_MS = 100;
const LONGEST_BACKOFF_MS = 10_000;

export function backoffMs(attempt: number): number {
  return Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** attempt) * (0.5 + Math.random() / 2);
}
