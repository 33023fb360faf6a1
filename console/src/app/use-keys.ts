import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { ROUTES } from './console-routes.js';

/** Time after `g` in which the next key selects a page, in milliseconds. */
const GO_MS = 1500;

/**
 * Handles keys: `g` and the letter of a page open it, `/` focuses the first filter, `?` shows the
 * keys. Keys are ignored while text is being typed.
 */
export function useKeys(onHelp: () => void): void {
  const [, go] = useLocation();
  useEffect(() => {
    let goesUntilMs = 0;
    const pressed = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, timeStamp } = event;
      // For an element in a shadow tree, such as the editor, `event.target` is its host. The path
      // starts with the real target.
      const [target] = event.composedPath();
      if (ctrlKey || metaKey || altKey || document.querySelector('[role="dialog"]')) return;
      if (target instanceof Element && target.closest('input, textarea, select, [contenteditable="true"]')) return;
      const route = timeStamp < goesUntilMs && ROUTES.find(({ nav }) => nav?.key === key);
      goesUntilMs = key === 'g' ? timeStamp + GO_MS : 0;
      if (route) go(route.path);
      else if (key === '?') onHelp();
      else if (key === '/') document.querySelector<HTMLInputElement>('main input[type="search"]')?.focus();
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, [go, onHelp]);
}
