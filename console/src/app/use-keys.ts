import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { ROUTES } from './console-routes.js';
import { isSearchKey } from './search/search-key.js';

/** Time after `g` in which the next key selects a page, in milliseconds. */
const GO_MS = 1500;

/**
 * Handles keys: `g` and the letter of a page open it, `/` focuses the first filter, `?` shows the
 * keys. These keys are ignored while text is being typed. Ctrl-K or Cmd-K opens the search.
 */
export function useKeys({ onHelp, onSearch }: { onHelp(): void; onSearch(): void }): void {
  const [, go] = useLocation();
  useEffect(() => {
    let goesUntilMs = 0;
    const pressed = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, timeStamp } = event;
      // For an element in a shadow tree, such as the editor, `event.target` is its host. The path
      // starts with the real target.
      const [target] = event.composedPath();
      const isInDialog = document.querySelector('[role="dialog"]') !== null;
      if (isSearchKey(event)) {
        // This is also done in a dialog. Otherwise some browsers would move the focus to their own
        // search.
        event.preventDefault();
        if (!isInDialog) onSearch();
        return;
      }
      if (ctrlKey || metaKey || altKey || isInDialog) return;
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
  }, [go, onHelp, onSearch]);
}
