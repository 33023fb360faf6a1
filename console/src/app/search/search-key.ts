import { shellText } from '../../text/shell-text.js';

/** On Apple's systems, the key is Cmd-K, because Ctrl-K deletes the rest of a line. */
const isApple = /^(Mac|iP)/.test(navigator.platform);

const { keys } = shellText.search;

/** Key of the search on this system. */
export const SEARCH_KEY = isApple
  ? ({ shown: keys.command, aria: 'Meta+K' } as const)
  : ({ shown: keys.control, aria: 'Control+K' } as const);

export function isSearchKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  if (altKey || shiftKey || key.toLowerCase() !== 'k') return false;
  return isApple ? metaKey && !ctrlKey : ctrlKey && !metaKey;
}
