import { useSyncExternalStore } from 'react';
import { withoutSecrets } from './without-secrets.js';

/** An operation that was priced in this browser. */
export interface PricedOperation {
  query: string;
  /** Text of the variables: JSON or empty. */
  variables: string;
  service: string | null;
  cost: number;
  /** Time of the last price, in ISO 8601. */
  pricedAt: string;
}

const KEY = 'tollgate-explorer-history';
const MOST_OPERATIONS = 30;
/** Maximum length of all stored operations, and of one of them, in UTF-16 code units. */
const MOST_LETTERS = 64 * 1024;
const MOST_LETTERS_OF_ONE = 16 * 1024;

/** Returns the priced operations, the newest first. The component follows changes by other tabs. */
export function useOperationHistory(): readonly PricedOperation[] {
  return useSyncExternalStore(subscribe, readHistory);
}

/**
 * Stores an operation as the newest one, without its secrets. An equal operation is replaced. The
 * oldest ones are dropped beyond the bounds.
 */
export function rememberOperation(operation: PricedOperation): void {
  const safe = withoutSecrets(operation);
  if (safe === undefined || JSON.stringify(safe).length > MOST_LETTERS_OF_ONE) return;
  const others = readHistory().filter((one) => !isSame(one, safe));
  writeHistory(bounded([safe, ...others]));
}

/** Replaces the stored operations. */
export function writeHistory(operations: readonly PricedOperation[]): void {
  try {
    if (operations.length === 0) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify(operations));
  } catch {
    // Storage is disabled or full. The explorer works without a history.
  }
  for (const notify of listeners) notify();
}

let lastText: string | null = null;
let lastRead: readonly PricedOperation[] = [];

/** Returns the same array until the stored text changes, as React requires. */
function readHistory(): readonly PricedOperation[] {
  const text = storedText();
  if (text !== lastText) {
    lastText = text;
    lastRead = parseHistory(text);
  }
  return lastRead;
}

function storedText(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // Storage is disabled.
  }
}

/** Reads stored text. Another version, or a user, may have written anything. */
export function parseHistory(text: string | null): PricedOperation[] {
  try {
    const stored: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(stored) ? bounded(stored.filter(isOperation)) : [];
  } catch {
    return [];
  }
}

function isOperation(value: unknown): value is PricedOperation {
  const { query, variables, service, cost, pricedAt } = (value ?? {}) as Partial<
    Record<keyof PricedOperation, unknown>
  >;
  return (
    typeof query === 'string' &&
    typeof variables === 'string' &&
    (service === null || typeof service === 'string') &&
    typeof cost === 'number' &&
    typeof pricedAt === 'string' &&
    !Number.isNaN(Date.parse(pricedAt))
  );
}

function bounded(operations: readonly PricedOperation[]): PricedOperation[] {
  const kept: PricedOperation[] = [];
  let letters = 0;
  for (const operation of operations.slice(0, MOST_OPERATIONS)) {
    letters += JSON.stringify(operation).length + 1;
    if (letters > MOST_LETTERS) break;
    kept.push(operation);
  }
  return kept;
}

function isSame(one: PricedOperation, other: PricedOperation): boolean {
  return one.query === other.query && one.variables === other.variables && one.service === other.service;
}

const listeners = new Set<() => void>();

function subscribe(notify: () => void): () => void {
  listeners.add(notify);
  window.addEventListener('storage', notify);
  return () => {
    listeners.delete(notify);
    window.removeEventListener('storage', notify);
  };
}
