import { QueryClient, type UseQueryResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { TypedDocumentString } from '../generated/graphql.js';
import { useIsAttended } from '../parts/feedback/use-is-attended.js';
import { AdminError } from './admin-error.js';
import { askAdmin } from './ask-admin.js';

export interface AskOptions<Result = unknown> {
  /**
   * Interval of repeated requests while the page is in use, in milliseconds. It grows with the
   * duration of the responses, so that pages that stay open do not keep the platform busy. A function
   * returns the interval after the last response; its argument is undefined before the first one.
   * @default no interval: the data is refreshed when the user returns to the page
   */
  everyMs?: number | undefined | ((data: Result | undefined) => number);
  /** Whether the request is sent. False while its variables are still unknown. @default true */
  enabled?: boolean;
  /**
   * Whether the previous response stays visible while the next one loads. False for a form, which
   * would start with old values.
   * @default true
   */
  isKept?: boolean;
  /**
   * Identifier of the object that the page shows. While another object loads, the previous one is
   * hidden. Otherwise an action of the page would send the version of the previous object.
   * @default the previous response is shown until the next one arrives
   */
  about?: string | undefined;
}

/** Maximum share of the time between two requests that is spent waiting for the response. */
const MOST_WAITING = 0.1;

/** Metadata of each query, for `copy as GraphQL`. */
export interface AskedDocument extends Record<string, unknown> {
  document: string;
  variables: unknown;
  about?: string | undefined;
}

/** Returns the response of the admin API to a document. It is cached, shared and refreshed. */
export function useAdmin<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
  { everyMs, enabled = true, isKept = true, about }: AskOptions<Result> = {},
): UseQueryResult<Result, Error> {
  const isAttended = useIsAttended();
  const tookMs = useRef(0);
  return useQuery<Result>({
    queryKey: [document.toString(), variables],
    async queryFn({ signal }) {
      const askedMs = performance.now();
      const answer = await askAdmin(document, variables, signal);
      tookMs.current = performance.now() - askedMs;
      return answer;
    },
    placeholderData: (before, query) => (isKept && query?.meta?.['about'] === about ? before : undefined),
    ...(!isKept && { gcTime: 0 }),
    refetchInterval({ state }) {
      const wantedMs = typeof everyMs === 'function' ? everyMs(state.data) : everyMs;
      return isAttended && wantedMs !== undefined && Math.max(wantedMs, tookMs.current / MOST_WAITING);
    },
    enabled,
    meta: { document: document.toString(), variables, about } satisfies AskedDocument,
  });
}

/**
 * Returns a mutation of the admin API. After it succeeds, all visible data is requested again.
 */
export function useChange<Result, Variables>(document: TypedDocumentString<Result, Variables>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (variables: Variables) => askAdmin(document, variables),
    onSuccess: () => client.invalidateQueries(),
  });
}

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        // After an error response, a retry would fail again. Without any response, it may succeed.
        retry: (failures, error) => failures < 2 && error instanceof AdminError && error.code === 'UNREACHABLE',
      },
    },
  });
}
