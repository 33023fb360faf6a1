import { type FormEvent, useState } from 'react';
import { serverNow } from '../../api/server-clock.js';
import { commonText } from '../../text/common-text.js';
import { DialogActions } from '../form/dialog-actions.js';
import { Labelled } from '../form/labelled.js';
import { Modal } from '../form/modal.js';
import { TIME_ZONE } from '../text/moments.js';
import { problemsOfRange, type RangeProblems } from './problems-of-range.js';
import { toLocalInput, writeRange } from './shown-range.js';
import type { RangeInUse } from './use-range.js';

const { custom } = commonText.range;

export interface CustomRangeProps {
  range: RangeInUse;
  /** Maximum length in days. */
  maxDays: number;
  onClose(): void;
}

/** Asks for the start and the end of a range, in the time zone of the browser. */
export function CustomRange({ range, maxDays, onClose }: CustomRangeProps) {
  const [from, setFrom] = useState(() => toLocalInput(range.fromMs));
  const [to, setTo] = useState(() => toLocalInput(Math.min(range.toMs, serverNow())));
  const [problems, setProblems] = useState<RangeProblems>({});
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
    const found = problemsOfRange(fromMs, toMs, { maxDays, nowMs: serverNow() });
    setProblems(found);
    if (found.from || found.to) return;
    range.set(writeRange(fromMs, toMs));
    onClose();
  };
  const input = (field: 'from' | 'to', value: string, set: (value: string) => void) => (
    <Labelled label={custom[field]} problems={problems[field] ? [{ field: [field], message: problems[field] }] : []}>
      {(control) => (
        <input
          {...control}
          className="input"
          type="datetime-local"
          value={value}
          onChange={(event) => set(event.target.value)}
        />
      )}
    </Labelled>
  );
  return (
    <Modal title={custom.title} onClose={onClose}>
      {/* The form shows its own messages, which also name the maximum length. */}
      <form onSubmit={submit} noValidate>
        {input('from', from, setFrom)}
        {input('to', to, setTo)}
        <p className="muted small">{custom.timeZone(TIME_ZONE)}</p>
        <DialogActions submit={custom.apply} onClose={onClose} />
      </form>
    </Modal>
  );
}
