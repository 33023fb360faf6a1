import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isWithoutSchema } from '../../api/admin-error.js';
import { Failure } from './failure.js';
import { NoSchema } from './no-schema.js';
import { Skeleton } from './skeleton.js';

export interface LoadProps<Data> {
  query: UseQueryResult<Data, Error>;
  /** Number of rows of the placeholder. */
  rows?: number;
  children(data: Data): ReactNode;
}

/**
 * Shows the state of a query: loading, failed, or its data. Old data stays visible while new data
 * loads.
 */
export function Load<Data>({ query, rows, children }: LoadProps<Data>) {
  const { data, error, refetch, isPlaceholderData } = query;
  if (data === undefined) {
    if (error && isWithoutSchema(error)) return <NoSchema onKnown={() => void refetch()} />;
    return error ? <Failure error={error} onRetry={() => void refetch()} /> : <Skeleton {...(rows && { rows })} />;
  }
  return (
    <div className="load" data-stale={isPlaceholderData} aria-busy={isPlaceholderData}>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {children(data)}
    </div>
  );
}
