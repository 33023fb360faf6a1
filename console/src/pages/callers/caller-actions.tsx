import { type FormEvent, useState } from 'react';
import { useSearchParams } from 'wouter';
import { MAX_COST } from '../../../../src/model/limit-parameters.js';
import { useChange } from '../../api/use-admin.js';
import { useMay } from '../../app/login/session-context.js';
import {
  AssignTierDocument,
  DisableCallerDocument,
  OverrideCallerDocument,
  ResetQuotaDocument,
  StoreCallerDocument,
} from '../../generated/graphql.js';
import { Confirm } from '../../parts/form/confirm.js';
import { Modal } from '../../parts/form/modal.js';
import { withParam } from '../../parts/range/use-range.js';
import { duration, whole } from '../../parts/text/format.js';
import { callersText } from '../../text/callers-text.js';
import { commonText } from '../../text/common-text.js';
import { problemsOf } from './problems-of.js';

const { action, blockDialog, limitDialog } = callersText;

interface Bucket {
  capacity: number;
  refillAmount: number;
  refillPeriodMs: number;
}

export interface CallerActionsProps {
  who: { user?: string; tenant?: string };
  /** Stored data of the caller. Undefined: nothing is stored. */
  subject:
    | { disabledAt?: string | null; version: number; tier?: { name: string } | null; override?: Bucket | null }
    | undefined;
  tiers: readonly { name: string; displayName: string }[];
  /** Current bucket of the caller. */
  bucket: Bucket;
  /** Cost of a denied operation. If it is set, the dialog for a larger bucket is open initially. */
  needed: number | undefined;
}

/** Actions of an operator on a caller. */
export function CallerActions({ who, subject, tiers, bucket, needed }: CallerActionsProps) {
  const may = useMay();
  const [, setSearch] = useSearchParams();
  const [asks, setAsks] = useState<'raise' | 'disable' | undefined>(needed ? 'raise' : undefined);
  const [problem, setProblem] = useState<string>();
  const [reset, disable, assign] = [
    useChange(ResetQuotaDocument),
    useChange(DisableCallerDocument),
    useChange(AssignTierDocument),
  ];
  const [override, store] = [useChange(OverrideCallerDocument), useChange(StoreCallerDocument)];
  if (!may('OPERATOR')) return null;

  function close() {
    setAsks(undefined);
    setProblem(undefined);
    // Otherwise, a reload of the page would open the dialog again.
    if (needed) setSearch((before) => withParam(before, 'raise', null), { replace: true });
  }
  async function run(change: () => Promise<object>) {
    const found = await problemsOf(change);
    setProblem(found);
    if (found === undefined) close();
  }
  const versioned = { ...who, ...(subject && { expectedVersion: subject.version }) };
  function raise(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [capacity, refillAmount] = [Number(form.get('capacity')), Number(form.get('refillAmount'))];
    const own = { capacity, refillAmount, refillPeriodMs: bucket.refillPeriodMs };
    void run(() =>
      subject
        ? override.mutateAsync({ input: { ...versioned, bucket: own } })
        : store.mutateAsync({ input: { ...who, bucket: own } }),
    );
  }
  return (
    <>
      <button type="button" className="button" onClick={() => void run(() => reset.mutateAsync({ input: who }))}>
        {action.resetQuota}
      </button>
      <button type="button" className="button" onClick={() => setAsks('raise')}>
        {action.raiseLimit}
      </button>
      {subject && (
        <>
          <select
            className="select"
            aria-label={action.tier}
            value={subject.tier?.name ?? ''}
            onChange={(event) =>
              void run(() => assign.mutateAsync({ input: { ...versioned, tier: event.target.value || null } }))
            }
          >
            <option value="">{action.defaultTier}</option>
            {tiers.map(({ name, displayName }) => (
              <option key={name} value={name}>
                {displayName}
              </option>
            ))}
          </select>
          <button
            type="button"
            className={subject.disabledAt ? 'button' : 'button button-danger'}
            onClick={() =>
              subject.disabledAt
                ? void run(() => disable.mutateAsync({ input: { ...versioned, disabled: false } }))
                : setAsks('disable')
            }
          >
            {subject.disabledAt ? action.unblock : action.block}
          </button>
        </>
      )}
      {!asks && problem && (
        <p className="form-problem" role="alert">
          {problem}
        </p>
      )}
      {asks === 'disable' && (
        <Confirm
          title={blockDialog.title}
          action={action.block}
          isPending={disable.isPending}
          problem={problem}
          onConfirm={() => void run(() => disable.mutateAsync({ input: { ...versioned, disabled: true } }))}
          onClose={close}
        >
          <p>{blockDialog.text}</p>
        </Confirm>
      )}
      {asks === 'raise' && (
        <Modal title={limitDialog.title} onClose={() => close()}>
          <form onSubmit={raise}>
            <p className="muted">
              {limitDialog.hint} {needed ? limitDialog.denied(whole(needed)) : ''}
            </p>
            <label className="field">
              <span className="field-label">{limitDialog.capacity}</span>
              <input
                className="input"
                name="capacity"
                type="number"
                min={1}
                max={MAX_COST}
                required
                defaultValue={Math.max(bucket.capacity * 2, needed ?? 0)}
              />
            </label>
            <label className="field">
              <span className="field-label">{limitDialog.refill(duration(bucket.refillPeriodMs))}</span>
              <input
                className="input"
                name="refillAmount"
                type="number"
                min={1}
                max={MAX_COST}
                required
                defaultValue={bucket.refillAmount * 2}
              />
            </label>
            <p className="form-problem" role="alert">
              {problem}
            </p>
            <div className="form-actions">
              <button type="submit" className="button button-primary">
                {commonText.save}
              </button>
              {subject?.override && (
                <button
                  type="button"
                  className="button"
                  onClick={() => void run(() => override.mutateAsync({ input: { ...versioned, bucket: null } }))}
                >
                  {limitDialog.useTier}
                </button>
              )}
            </div>
          </form>
        </Modal>
      )}
    </>
  );
}
