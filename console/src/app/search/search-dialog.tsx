import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { useRef } from 'react';
import { useLocation } from 'wouter';
import { Failure } from '../../parts/feedback/failure.js';
import { Icon } from '../../parts/text/icon.js';
import { Name } from '../../parts/text/name.js';
import { visibleText } from '../../parts/text/visible-text.js';
import { commonText } from '../../text/common-text.js';
import { shellText } from '../../text/shell-text.js';
import { type Found, type FoundGroup, useSearch } from './use-search.js';

const { search: text } = shellText;

/** Maximum length of the text: that of the longest name of an operation. */
const MAX_LENGTH = 200;

interface SearchDialogProps {
  /** Text of the field. */
  typed: string;
  onType(text: string): void;
  onClose(): void;
}

/**
 * Shows the dialog of the search. It is in a separate chunk because it needs the library for
 * dialogs.
 */
export function SearchDialog({ typed, onType, onClose }: SearchDialogProps) {
  const [, go] = useLocation();
  const { groups, isSearching, error } = useSearch(typed);
  const hasChosen = useRef(false);
  const open = ({ path }: Found) => {
    hasChosen.current = true;
    go(path);
    onClose();
  };
  const isEmpty = groups.length === 0;
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="dialog-back" />
        <Dialog.Popup
          className="dialog search-dialog"
          aria-label={text.title}
          // After a choice, the focus is on the new page, not on the button that opened the dialog.
          finalFocus={() => (hasChosen.current ? document.getElementById('main') : true)}
        >
          <Autocomplete.Root
            open
            inline
            mode="none"
            items={groups}
            value={typed}
            onValueChange={(value, { reason }) => reason !== 'item-press' && onType(value)}
            itemToStringValue={({ name }: Found) => visibleText(name)}
            autoHighlight="always"
            keepHighlight
          >
            <div className="search-field">
              <Icon name="search" />
              <Autocomplete.Input
                className="search-input"
                aria-label={text.title}
                placeholder={text.placeholder}
                maxLength={MAX_LENGTH}
                spellCheck={false}
              />
              <Dialog.Close className="icon-button" aria-label={commonText.close}>
                <Icon name="close" />
              </Dialog.Close>
            </div>
            {error && <Failure error={error} />}
            <Autocomplete.List className="search-list">
              {(group: FoundGroup) => (
                <Autocomplete.Group key={group.title} items={group.items}>
                  <Autocomplete.GroupLabel className="search-group">{group.title}</Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(item: Found) => (
                      <Autocomplete.Item key={item.id} value={item} className="search-item" onClick={() => open(item)}>
                        <Name>{item.name}</Name>
                        {item.note && <span className="muted small">{visibleText(item.note)}</span>}
                      </Autocomplete.Item>
                    )}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
            <Autocomplete.Status className="search-status">
              {isSearching ? text.searching : isEmpty && !error ? text.nothing : text.hint}
            </Autocomplete.Status>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
