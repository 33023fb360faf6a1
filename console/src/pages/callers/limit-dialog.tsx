import { type FormEvent, useState } from 'react';
import { MAX_COST } from '../../../../src/model/limit-parameters.js';
import { DialogActions } from '../../parts/form/dialog-actions.js';
import { Modal } from '../../parts/form/modal.js';
import { duration, whole } from '../../parts/text/format.js';
import { callersText } from '../../text/callers-text.js';
import { commonText } from '../../text/common-text.js';
import { type Bucket, bucketOf, bucketText, type MaybeBucket } from '../tiers/bucket-text.js';

const { limitDialog: text } = callersText;

export interface LimitDialogProps {
  /** Current bucket of the caller. */
  /** Bucket in force. Its members are null on a tier without a bucket. */
  bucket: MaybeBucket;
  /** Whether the current bucket is a custom limit, which can be removed. */
  isCustom: boolean;
  /** Cost of a denied operation. */
  needed: number | undefined;
  isPending: boolean;
  /** Null restores the bucket of the tier. Resolves to the reason if the change failed. */
  onSave(bucket: Bucket | null): Promise<string | undefined>;
  onClose(): void;
}

const FIRST_BUCKET: Bucket = { capacity: 500, refillAmount: 50, refillPeriodMs: 60_000 };

/** Shows a dialog with the form of the custom limit of a caller. */
export function LimitDialog({ bucket: current, isCustom, needed, isPending, onSave, onClose }: LimitDialogProps) {
  const [problem, setProblem] = useState<string>();
  // On a tier without a bucket, the first bucket is a suggestion.
  const bucket = bucketOf(current) ?? FIRST_BUCKET;
  async function save(next: Bucket | null) {
    const found = await onSave(next);
    setProblem(found);
    if (found === undefined) onClose();
  }
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [capacity, refillAmount] = [Number(form.get('capacity')), Number(form.get('refillAmount'))];
    void save({ capacity, refillAmount, refillPeriodMs: bucket.refillPeriodMs });
  }
  const number = (name: 'capacity' | 'refillAmount', label: string, suggested: number) => (
    <label className="field">
      <span className="field-label">{label}</span>
      <input
        className="input"
        name={name}
        type="number"
        min={1}
        max={MAX_COST}
        required
        defaultValue={Math.min(suggested, MAX_COST)}
      />
    </label>
  );
  return (
    <Modal title={text.title} onClose={onClose}>
      <form onSubmit={submit}>
        <p className="muted">
          {text.hint} {text.current(bucketText(current))} {needed ? text.denied(whole(needed)) : ''}
        </p>
        {number('capacity', text.capacity, Math.max(bucket.capacity * 2, needed ?? 0))}
        {number('refillAmount', text.refill(duration(bucket.refillPeriodMs)), bucket.refillAmount * 2)}
        <p className="form-problem" role="alert">
          {problem}
        </p>
        <DialogActions submit={commonText.save} isPending={isPending} onClose={onClose}>
          {isCustom && (
            <button type="button" className="button" disabled={isPending} onClick={() => void save(null)}>
              {text.useTier}
            </button>
          )}
        </DialogActions>
      </form>
    </Modal>
  );
}
