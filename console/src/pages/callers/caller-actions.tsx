import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { useMay } from '../../app/login/session-context.js';
import type { TierBucketFragment } from '../../generated/graphql.js';
import { Confirm } from '../../parts/form/confirm.js';
import { withParam } from '../../parts/range/use-range.js';
import { callersText } from '../../text/callers-text.js';
import { commonText } from '../../text/common-text.js';
import type { MaybeBucket } from '../tiers/bucket-text.js';
import { BillingDialog } from './billing-dialog.js';
import { LimitDialog } from './limit-dialog.js';
import { ResetDialog } from './reset-dialog.js';
import { TierDialog, type TierDialogProps } from './tier-dialog.js';
import { type StoredName, type StoredState, useCallerChanges } from './use-caller-changes.js';

const { absent, action, blockDialog, tierDialog } = callersText;

export interface CallerActionsProps {
  who: StoredName;
  /** Stored data of the caller. Undefined: nothing is stored. */
  subject: StoredState | undefined;
  tiers: readonly TierBucketFragment[];
  inherited: TierDialogProps['inherited'];
  /** Current bucket of the caller. */
  bucket: MaybeBucket;
  /** Cost of a denied operation. If it is set, the dialog for a larger bucket is open initially. */
  needed: number | undefined;
  /** Whether the caller exists. Otherwise, the only action creates it. */
  isKnown: boolean;
}

type Question = 'create' | 'reset' | 'raise' | 'tier' | 'billing' | 'block';

/** Actions of an operator on a caller. Each action asks for confirmation, or can be undone. */
export function CallerActions(props: CallerActionsProps) {
  const { who, subject, tiers, inherited, bucket, needed, isKnown } = props;
  const may = useMay();
  const [, setSearch] = useSearchParams();
  const [asks, setAsks] = useState<Question | undefined>(needed && isKnown ? 'raise' : undefined);
  const [problem, setProblem] = useState<string>();
  const changes = useCallerChanges(who, subject);
  const { isPending } = changes;
  if (!may('OPERATOR')) return null;

  const close = () => {
    setAsks(undefined);
    setProblem(undefined);
    // The parameter is removed from the URL. Otherwise, a reload of the page would open the dialog
    // again.
    if (needed) setSearch((before) => withParam(before, 'raise', null), { replace: true });
  };
  const block = async (disabled: boolean) => {
    const found = await changes.block(disabled);
    setProblem(found);
    if (found === undefined) close();
  };
  const button = (label: string, onClick: () => void, kind = '') => (
    <button type="button" className={`button ${kind}`} onClick={onClick}>
      {label}
    </button>
  );
  const tierProps = { tiers, inherited, isPending, onClose: close };
  return (
    <>
      {isKnown ? (
        <>
          {button(action.resetQuota, () => setAsks('reset'))}
          {button(action.raiseLimit, () => setAsks('raise'))}
          {subject && button(action.changeTier, () => setAsks('tier'))}
          {/* A user of a tenant has the billing anchor of the tenant. */}
          {subject && !(who.user && who.tenant) && button(action.billingAnchor, () => setAsks('billing'))}
          {subject?.disabledAt && button(action.unblock, () => void block(false))}
          {subject && !subject.disabledAt && button(action.block, () => setAsks('block'), 'button-danger')}
        </>
      ) : (
        button(absent.create, () => setAsks('create'), 'button-primary')
      )}
      {!asks && problem && (
        <p className="form-problem" role="alert">
          {problem}
        </p>
      )}
      {asks === 'create' && (
        <TierDialog
          {...tierProps}
          title={tierDialog.createTitle}
          action={commonText.create}
          assigned={undefined}
          hasCustomLimit={false}
          onConfirm={changes.create}
        />
      )}
      {asks === 'tier' && (
        <TierDialog
          {...tierProps}
          title={tierDialog.title}
          action={action.changeTier}
          assigned={subject?.tier?.name ?? null}
          hasCustomLimit={Boolean(subject?.override)}
          onConfirm={changes.changeTier}
        />
      )}
      {asks === 'reset' && (
        <ResetDialog who={who} isPending={isPending} onConfirm={changes.resetQuota} onClose={close} />
      )}
      {asks === 'raise' && (
        <LimitDialog
          bucket={bucket}
          isCustom={Boolean(subject?.override)}
          needed={needed}
          isPending={isPending}
          onSave={changes.limit}
          onClose={close}
        />
      )}
      {asks === 'billing' && (
        <BillingDialog day={subject?.billingAnchor} isPending={isPending} onSave={changes.billing} onClose={close} />
      )}
      {asks === 'block' && (
        <Confirm
          title={blockDialog.title}
          action={action.block}
          isPending={isPending}
          problem={problem}
          onConfirm={() => void block(true)}
          onClose={close}
        >
          <p>{blockDialog.text}</p>
        </Confirm>
      )}
    </>
  );
}
