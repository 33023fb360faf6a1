import { useQuery } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { askAdmin } from '../../api/ask-admin.js';
import { ResetQuotaDocument, type ResetQuotaMutation } from '../../generated/graphql.js';
import { Load } from '../../parts/feedback/load.js';
import { Confirm } from '../../parts/form/confirm.js';
import { whole } from '../../parts/text/format.js';
import { Name } from '../../parts/text/name.js';
import { callersText } from '../../text/callers-text.js';
import type { StoredName } from './use-caller-changes.js';

const { action, resetDialog: text } = callersText;

/** Maximum number of counters that are shown. */
const MOST_COUNTERS = 8;

export interface ResetDialogProps {
  who: StoredName;
  isPending: boolean;
  /** Resolves to the reason if the reset failed. */
  onConfirm(): Promise<string | undefined>;
  onClose(): void;
}

/** Shows a dialog that resets the quota of a caller, after it has shown the counters. */
export function ResetDialog({ who, isPending, onConfirm, onClose }: ResetDialogProps) {
  const [problem, setProblem] = useState<string>();
  const trial = useQuery({
    queryKey: ['reset-quota', who],
    queryFn: ({ signal }) => askAdmin(ResetQuotaDocument, { input: { ...who, dryRun: true } }, signal),
    gcTime: 0,
  });
  async function confirmed() {
    const found = await onConfirm();
    setProblem(found);
    if (found === undefined) onClose();
  }
  return (
    <Confirm
      title={text.title}
      action={action.resetQuota}
      isDangerous={false}
      isPending={isPending}
      problem={problem}
      onConfirm={() => void confirmed()}
      onClose={onClose}
    >
      <Load query={trial} rows={2}>
        {({ subjectResetQuota }) => <Counters effects={subjectResetQuota} />}
      </Load>
    </Confirm>
  );
}

function Counters({ effects }: { effects: ResetQuotaMutation['subjectResetQuota'] }) {
  const counters = countersOf(effects);
  const notes = [...(effects?.warnings ?? []), ...(effects?.userErrors ?? []).map(({ message }) => message)];
  return (
    <>
      <p>{counters.length > 0 ? text.text : text.nothing}</p>
      {counters.length > 0 && (
        <dl className="facts">
          {counters.slice(0, MOST_COUNTERS).map(({ key, rule, field, used, limit }) => (
            <Fragment key={key}>
              <dt>
                <Name>{field === '*' ? rule : `${rule} (${field})`}</Name>
              </dt>
              <dd>{text.used(whole(used), whole(limit))}</dd>
            </Fragment>
          ))}
        </dl>
      )}
      {counters.length > MOST_COUNTERS && <p className="muted">{text.more(whole(counters.length - MOST_COUNTERS))}</p>}
      {notes.map((note) => (
        <p key={note} className="muted small">
          {note}
        </p>
      ))}
    </>
  );
}

/**
 * Returns the counters that a reset changes. The path of a difference, such as `limits[0].used`,
 * contains the index of the limit.
 */
function countersOf(effects: ResetQuotaMutation['subjectResetQuota']) {
  const limits = effects?.quota?.limits ?? [];
  return (effects?.differences ?? []).flatMap(({ path, before }) => {
    const limit = limits[Number(/^limits\[(\d+)\]\.used$/.exec(path)?.[1])];
    return limit ? [{ ...limit, key: path, used: Number(before) }] : [];
  });
}
