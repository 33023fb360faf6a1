import { type FormEvent, useState } from 'react';
import { DialogActions } from '../../parts/form/dialog-actions.js';
import { Labelled } from '../../parts/form/labelled.js';
import { Modal } from '../../parts/form/modal.js';
import { callersText } from '../../text/callers-text.js';
import { commonText } from '../../text/common-text.js';

const { billingDialog: text } = callersText;

export interface BillingDialogProps {
  /** Current anchor, as `YYYY-MM-DD`. */
  day: string | null | undefined;
  isPending: boolean;
  /** Null removes the anchor. Resolves to the reason if the change failed. */
  onSave(day: string | null): Promise<string | undefined>;
  onClose(): void;
}

/** Shows a dialog with the billing anchor of a caller. */
export function BillingDialog({ day, isPending, onSave, onClose }: BillingDialogProps) {
  const [problem, setProblem] = useState<string>();
  async function save(next: string | null) {
    const found = await onSave(next);
    setProblem(found);
    if (found === undefined) onClose();
  }
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    void save(String(new FormData(event.currentTarget).get('day')));
  }
  return (
    <Modal title={text.title} onClose={onClose}>
      <form onSubmit={submit}>
        <p className="muted">{text.hint}</p>
        <Labelled label={text.day}>
          {(control) => (
            <input {...control} className="input" name="day" type="date" required defaultValue={day ?? ''} />
          )}
        </Labelled>
        <p className="form-problem" role="alert">
          {problem}
        </p>
        <DialogActions submit={commonText.save} isPending={isPending} onClose={onClose}>
          {day && (
            <button type="button" className="button" disabled={isPending} onClick={() => void save(null)}>
              {text.remove}
            </button>
          )}
        </DialogActions>
      </form>
    </Modal>
  );
}
