import { Suspense, useEffect, useState } from 'react';
import { inChunk } from '../in-chunk.js';

const dialog = inChunk(async () => (await import('./search-dialog.js')).SearchDialog);
const SearchDialog = dialog.component;

/** Loads the code of the search before it is opened. */
export const loadSearch = dialog.load;

/**
 * Shows the search of the console. Until the field has the focus, it adds typed letters to the text
 * of the field, even while the code of the dialog loads.
 */
export function Search({ onClose }: { onClose(): void }) {
  const [typed, setTyped] = useState('');
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      if (ctrlKey || metaKey || altKey) return;
      if (target instanceof Element && target.closest('[role="dialog"]')) return;
      if (key === 'Escape') onClose();
      else if (key.length === 1) setTyped((before) => before + key);
      else return;
      event.preventDefault();
      // The keys of the console must not act on these letters.
      event.stopPropagation();
    };
    document.addEventListener('keydown', pressed, { capture: true });
    return () => document.removeEventListener('keydown', pressed, { capture: true });
  }, [onClose]);
  return (
    <Suspense>
      <SearchDialog typed={typed} onType={setTyped} onClose={onClose} />
    </Suspense>
  );
}
