import { Dialog } from '@base-ui/react/dialog';
import { type ReactNode, useEffect, useState } from 'react';

export interface ModalProps {
  title: string;
  onClose(): void;
  /**
   * Whether a click outside keeps the dialog open, because closing it would lose data.
   * @default false
   */
  staysOpen?: boolean;
  children: ReactNode;
}

/** Shows a modal dialog. Escape closes it. */
export function Modal({ title, onClose, staysOpen = false, children }: ModalProps) {
  useReturnOfFocus();
  return (
    <Dialog.Root open disablePointerDismissal={staysOpen} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="dialog-back" />
        <Dialog.Popup className="dialog">
          <Dialog.Title>{title}</Dialog.Title>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/**
 * Moves the focus to the part of the page that contained the opener of the dialog, if the opener is
 * gone when the dialog closes. The dialog itself returns the focus to an opener that still exists.
 */
function useReturnOfFocus(): void {
  const [part] = useState(() => document.activeElement?.closest<HTMLElement>('.load, main'));
  useEffect(
    () => () => {
      setTimeout(() => {
        if (document.activeElement !== document.body) return;
        const target = part?.isConnected ? part : document.querySelector('main');
        target?.focus({ preventScroll: true });
      });
    },
    [part],
  );
}
