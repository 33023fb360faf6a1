import { Dialog } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';

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
