import { useEffect, useState } from 'react';
import { Icon } from '../text/icon.js';

export interface CopyButtonProps {
  text: string | (() => string);
  label: string;
  /** Also shows the label. @default the icon alone */
  isWide?: boolean;
}

/** Puts a text into the clipboard and says so for a moment. */
export function CopyButton({ text, label, isWide = false }: CopyButtonProps) {
  const [state, setState] = useState<'ready' | 'copied' | 'failed'>('ready');

  useEffect(() => {
    if (state === 'ready') return;
    const timer = setTimeout(() => setState('ready'), 2000);
    return () => clearTimeout(timer);
  }, [state]);

  const shown = { ready: label, copied: 'Copied', failed: 'The browser did not allow it' }[state];
  return (
    <button
      type="button"
      className={isWide ? 'button button-quiet' : 'icon-button'}
      aria-label={shown}
      title={shown}
      onClick={() => {
        // Without TLS, and not on this machine, browsers offer no clipboard.
        const written = navigator.clipboard?.writeText(typeof text === 'string' ? text : text());
        (written ?? Promise.reject()).then(
          () => setState('copied'),
          () => setState('failed'),
        );
      }}
    >
      <Icon name={state === 'copied' ? 'check' : 'copy'} />
      {isWide && <span aria-live="polite">{shown}</span>}
    </button>
  );
}
