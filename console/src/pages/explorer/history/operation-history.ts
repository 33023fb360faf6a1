import { useSyncExternalStore } from 'react';
import { bounded, MOST_LETTERS_OF_ONE, type PricedOperation, parseHistory } from './parse-history.js';
import { withoutSecrets } from './without-secrets.js';

const KEY = 'tollgate-explorer-history';

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
