import { type Query, type UseQueryResult, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
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
  const { data, errorUpdateCount, isPlaceholderData } = query;
  const client = useQueryClient();
  // A query without data forgets its error when it starts again. The last error stays visible until
  // there is a response. Otherwise, each repeated request would replace it with a placeholder.
  const lastError = useRef<Error>(null);
  if (query.error) lastError.current = query.error;
  const error = query.error ?? (data === undefined && errorUpdateCount > 0 ? lastError.current : null);

  const part = useRef<HTMLDivElement>(null);
  const isFocusDue = useRef(false);
  // True while a retry that the user has started is running, not during automatic requests.
  const [isRetrying, setRetrying] = useState(false);
  // The button to retry disappears with the error. The focus then moves to the loaded data.
  useEffect(() => {
    if (error || !isFocusDue.current) return;
    isFocusDue.current = false;
    if (document.activeElement === document.body) part.current?.focus({ preventScroll: true });
  }, [error]);
  // New data may lack the row that has the focus. The focus then moves to the remaining data.
  // Browsers and React report no `blur` for an element that is removed.
  const focused = useRef<Element>(null);
  useEffect(() => {
    if (!focused.current || focused.current.isConnected) return;
    focused.current = null;
    if (document.activeElement === document.body) part.current?.focus({ preventScroll: true });
  });
  // Parts of a page often fail for the same reason, so a retry is for all failed parts.
  const retry = async () => {
    isFocusDue.current = true;
    setRetrying(true);
    const hasFailed = ({ state }: Query) =>
      state.error !== null || (state.data === undefined && state.errorUpdateCount > 0);
    await client.refetchQueries({ type: 'active', predicate: hasFailed }, { cancelRefetch: false });
    setRetrying(false);
  };

  const isWithData = data !== undefined;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the handlers only remember the focus
    <div
      className="load"
      ref={part}
      tabIndex={-1}
      data-stale={isPlaceholderData}
      aria-busy={isPlaceholderData}
      onFocus={({ target }) => {
        focused.current = target;
      }}
      onBlur={() => {
        focused.current = null;
      }}
    >
      {error &&
        (isWithoutSchema(error) && !isWithData ? (
          <NoSchema onKnown={() => void retry()} />
        ) : (
          <Failure error={error} onRetry={() => void retry()} isRetrying={isRetrying} />
        ))}
      {isWithData ? children(data) : !error && <Skeleton {...(rows && { rows })} />}
    </div>
  );
}
