import { Dialog } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';

export interface ModalProps {
  title: string;
  onClose(): void;
  /** A click beside it does not close it: something would be lost. @default false */
  staysOpen?: boolean;
  children: ReactNode;
}

/** A question in front of the page, which waits for the answer. Escape closes it. */
export function Modal({ title, onClose, staysOpen = false, children }: ModalProps) {
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
