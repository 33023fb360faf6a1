import type { ReactNode } from 'react';
import { Modal } from './modal.js';

export interface ConfirmProps {
  title: string;
  /** What the button says that does it. */
  action: string;
  /** It takes something away. @default true */
  isDangerous?: boolean;
  /** It is being done. */
  isPending: boolean;
  /** Why it was not done. */
  problem: string | undefined;
  onConfirm(): void;
  onClose(): void;
  children: ReactNode;
}

/** Asks before something is done to what is stored. */
export function Confirm(props: ConfirmProps) {
  const { title, action, isDangerous = true, isPending, problem, onConfirm, onClose, children } = props;
  return (
    <Modal title={title} onClose={onClose}>
      {children}
      <p className="form-problem" role="alert">
        {problem}
      </p>
      <div className="form-actions">
        <button type="button" className="button" onClick={onClose}>
          Keep it
        </button>
        <button
          type="button"
          className={isDangerous ? 'button button-danger' : 'button button-primary'}
          disabled={isPending}
          onClick={onConfirm}
        >
          {action}
        </button>
      </div>
    </Modal>
  );
}
