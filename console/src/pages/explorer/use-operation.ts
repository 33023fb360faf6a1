import { useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import { withParam } from '../../parts/range/use-range.js';

/** While it is being written, nothing is asked. */
const PAUSE_MS = 300;

export interface Operation {
  query: string;
  /** As they are written: JSON, or nothing. */
  variables: string;
}

export interface WrittenOperation extends Operation {
  setQuery(text: string): void;
  setVariables(text: string): void;
  /** As it was when the last pause was made. */
  settled: Operation;
}

/** The operation that is being written; it stands in the address, so that it can be passed on. */
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

/** The variables as an object; a text that says what is wrong with them. */
export function readVariables(text: string): Record<string, unknown> | string {
  if (text.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return `The variables are no JSON: ${(error as Error).message}`;
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  return 'The variables have to be a JSON object, such as { "first": 20 }';
}
