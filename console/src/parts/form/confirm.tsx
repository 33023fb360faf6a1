import type { ReactNode } from 'react';
import { commonText } from '../../text/common-text.js';
import { Modal } from './modal.js';

export interface ConfirmProps {
  title: string;
  /** Label of the button that confirms. */
  action: string;
  /** Whether the action removes something. @default true */
  isDangerous?: boolean;
  /** Whether the action is running. */
  isPending: boolean;
  /** Reason why the action failed. */
  problem: string | undefined;
  onConfirm(): void;
  onClose(): void;
  children: ReactNode;
}

/** Shows a dialog that asks for confirmation before stored data changes. */
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
          {commonText.cancel}
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
