import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { ROUTES } from './console-routes.js';

/** So long after `g` the next key says where to go. */
const GO_MS = 1500;

/** `g` and the letter of a page go there, `/` to the first filter, `?` shows the keys. Nothing while text is being typed. */
export function useKeys(onHelp: () => void): void {
  const [, go] = useLocation();
  useEffect(() => {
    let goesUntilMs = 0;
    const pressed = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, timeStamp } = event;
      // What stands in a shadow tree, as the editor does, is told as its host: the path begins with what was typed into.
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
