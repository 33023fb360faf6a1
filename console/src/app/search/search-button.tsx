import { Icon } from '../../parts/text/icon.js';
import { shellText } from '../../text/shell-text.js';
import { SEARCH_KEY } from './search-key.js';

/** Shows the button that opens the search, with its key. */
export function SearchButton({ onOpen }: { onOpen(): void }) {
  return (
    <button type="button" className="search-button" aria-keyshortcuts={SEARCH_KEY.aria} onClick={onOpen}>
      <Icon name="search" />
      <span>{shellText.search.button}</span>
      <kbd>{SEARCH_KEY.shown}</kbd>
    </button>
  );
}
