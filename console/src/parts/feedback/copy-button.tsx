import { useEffect, useState } from 'react';
import { commonText } from '../../text/common-text.js';
import { Icon } from '../text/icon.js';

export interface CopyButtonProps {
  text: string | (() => string);
  label: string;
  /** Whether the label is visible next to the icon. @default false */
  isWide?: boolean;
  /** Visible text if the label is too long. */
  short?: string;
}

/** Shows a button that copies a text to the clipboard and confirms it for a moment. */
export function CopyButton({ text, label, isWide = false, short }: CopyButtonProps) {
  const [state, setState] = useState<'ready' | 'copied' | 'failed'>('ready');

  useEffect(() => {
    if (state === 'ready') return;
    const timer = setTimeout(() => setState('ready'), 2000);
    return () => clearTimeout(timer);
  }, [state]);

  const shown = { ready: label, copied: commonText.copy.copied, failed: commonText.copy.failed }[state];
  return (
    <button
      type="button"
      className={isWide ? 'button button-quiet' : short ? 'button button-small' : 'icon-button'}
      aria-label={shown}
      title={shown}
      onClick={() => {
        // Browsers offer no clipboard without TLS, except on localhost.
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
