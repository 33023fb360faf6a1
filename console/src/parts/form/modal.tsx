import { Dialog } from '@base-ui/react/dialog';
import { type ReactNode, useState } from 'react';

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

/** Shows a modal dialog. Escape closes it, and the focus returns to where it was. */
export function Modal({ title, onClose, staysOpen = false, children }: ModalProps) {
  const [origin] = useState(() => document.activeElement);
  // The default returns the focus only to elements that Tab reaches, and not to the page itself.
  const finalFocus = () =>
    origin instanceof HTMLElement && origin !== document.body && origin.isConnected ? origin : true;
  return (
    <Dialog.Root open disablePointerDismissal={staysOpen} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="dialog-back" />
        <Dialog.Popup className="dialog" finalFocus={finalFocus}>
          <Dialog.Title>{title}</Dialog.Title>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
