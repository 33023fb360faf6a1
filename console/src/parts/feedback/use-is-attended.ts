import { useSyncExternalStore } from 'react';

/** Short beside the half hour after which a session that is not used ends. */
const ATTENDED_MS = 5 * 60_000;
const EVENTS = ['pointerdown', 'pointermove', 'wheel', 'keydown'] as const;

const listeners = new Set<() => void>();
let isAttended = true;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Whether keys or pointer were used in the last minutes. What a page asks by itself counts as use of the session: a page that is
 * left open must not keep the session from ending.
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
