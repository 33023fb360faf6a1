import { useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import { withParam } from '../../parts/range/use-range.js';
import { explorerText } from '../../text/explorer-text.js';

/**
 * Time without typing after which the explorer sends the operation, in milliseconds.
 */
const PAUSE_MS = 300;

export interface Operation {
  query: string;
  /** Text of the variables: JSON or empty. */
  variables: string;
}

export interface WrittenOperation extends Operation {
  setQuery(text: string): void;
  setVariables(text: string): void;
  /** Operation as of the last pause in typing. */
  settled: Operation;
}

/**
 * Returns the operation in the editor. The URL contains the operation, so that users can share a
 * link to it.
 */
export function useOperation(first: string): WrittenOperation {
  const [search, setSearch] = useSearchParams();
  const [query, setQuery] = useState(search.get('query') ?? first);
  const [variables, setVariables] = useState(search.get('variables') ?? '');
  const [settled, setSettled] = useState<Operation>({ query, variables });

  useEffect(() => {
    if (settled.query === query && settled.variables === variables) return;
    const timer = setTimeout(() => {
      setSettled({ query, variables });
      setSearch((before) => withParam(withParam(before, 'query', query), 'variables', variables), { replace: true });
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [query, variables, settled, setSearch]);

  return { query, variables, setQuery, setVariables, settled };
}

/** Returns the variables as an object, or an error message. */
export function readVariables(text: string): Record<string, unknown> | string {
  if (text.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return explorerText.variables.invalidJson((error as Error).message);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  return explorerText.variables.notAnObject;
}
