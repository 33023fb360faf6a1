import type { ReactNode } from 'react';
import { commonText } from '../../text/common-text.js';

interface DialogActionsProps {
  /** Label of the button that submits the form. */
  submit: string;
  /** Whether the form is being submitted. @default false */
  isPending?: boolean;
  onClose(): void;
  /** Further buttons, after the others. */
  children?: ReactNode;
}

/** Buttons at the end of the form of a dialog: cancel and submit. */
export function DialogActions({ submit, isPending = false, onClose, children }: DialogActionsProps) {
  return (
    <div className="form-actions">
      <button type="button" className="button" onClick={onClose}>
        {commonText.cancel}
      </button>
      <button type="submit" className="button button-primary" disabled={isPending}>
        {submit}
      </button>
      {children}
    </div>
  );
}
