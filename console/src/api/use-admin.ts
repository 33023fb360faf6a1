import { QueryClient, type UseQueryResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { TypedDocumentString } from '../generated/graphql.js';
import { useIsAttended } from '../parts/feedback/use-is-attended.js';
import { AdminError } from './admin-error.js';
import { askAdmin } from './ask-admin.js';

export interface AskOptions {
  /**
   * Asks again after so long, while the page is used; less often where answers take long, so that pages that stay open do not
   * keep the platform busy. @default only when the page is looked at again
   */
  everyMs?: number | undefined;
  /** False while what is asked for is not known yet. @default true */
  enabled?: boolean;
  /** False where what was known before must not be shown: a form would begin with it. @default true */
  isKept?: boolean;
  /**
   * Names the object that the page is about. The answer of another object is not shown while this one loads: its actions
   * would carry the version of the other. @default the answer before is shown until the next one is there
   */
  about?: string | undefined;
}

/** Of the time between two questions, so much at most is spent with waiting for the answer. */
const MOST_WAITING = 0.1;

/** What `copy as GraphQL` finds at each query. */
export interface AskedDocument extends Record<string, unknown> {
  document: string;
  variables: unknown;
  about?: string | undefined;
}

/** What the administration answers to a document, kept, shared and refreshed. */
export function useAdmin<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
  { everyMs, enabled = true, isKept = true, about }: AskOptions = {},
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
    refetchInterval: () => isAttended && everyMs !== undefined && Math.max(everyMs, tookMs.current / MOST_WAITING),
    enabled,
    meta: { document: document.toString(), variables, about } satisfies AskedDocument,
  });
}

/** A change by the administration; all that is shown is asked for again once it is made. */
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
        // What was answered with an error is answered so again; what was not answered may be.
        retry: (failures, error) => failures < 2 && error instanceof AdminError && error.code === 'UNREACHABLE',
      },
    },
  });
}
