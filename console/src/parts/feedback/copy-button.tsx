import { useEffect, useState } from 'react';
import { Icon } from '../text/icon.js';

export interface CopyButtonProps {
  text: string | (() => string);
  label: string;
  /** Also shows the label. @default the icon alone */
  isWide?: boolean;
  /** What it shows beside the icon where the label is too long for that. */
  short?: string;
}

/** Puts a text into the clipboard and says so for a moment. */
export function CopyButton({ text, label, isWide = false, short }: CopyButtonProps) {
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
      className={isWide ? 'button button-quiet' : short ? 'button button-small' : 'icon-button'}
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
      {short}
      {isWide && <span aria-live="polite">{shown}</span>}
    </button>
  );
}
