import { useSyncExternalStore } from 'react';

/**
 * Time without input after which the page is no longer in use. It is short compared with the half
 * hour after which an idle session ends.
 */
const ATTENDED_MS = 5 * 60_000;
const EVENTS = ['pointerdown', 'pointermove', 'wheel', 'keydown'] as const;

const listeners = new Set<() => void>();
let isAttended = true;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Returns whether keys or the pointer were used in the last minutes. Automatic requests of a page
 * count as use of the session, so a page that is left open must stop them. Otherwise, the session
 * would never end.
 */
export function useIsAttended(): boolean {
  return useSyncExternalStore(subscribe, () => isAttended);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (listeners.size === 1) {
    used();
    for (const event of EVENTS) window.addEventListener(event, used, { passive: true });
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearTimeout(timer);
    for (const event of EVENTS) window.removeEventListener(event, used);
  };
}

function used(): void {
  clearTimeout(timer);
  timer = setTimeout(() => change(false), ATTENDED_MS);
  if (!isAttended) change(true);
}

function change(to: boolean): void {
  isAttended = to;
  for (const listener of listeners) listener();
}
