import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useChange } from '../../api/use-admin.js';
import { RetireTierDocument, type TierFactsFragment } from '../../generated/graphql.js';
import { useToast } from '../../parts/feedback/toasts.js';
import { Confirm } from '../../parts/form/confirm.js';
import { commonText } from '../../text/common-text.js';
import { tiersText } from '../../text/tiers-text.js';
import { problemsOf } from '../callers/problems-of.js';

/** Actions of an administrator on a tier: change and retire it. */
export function TierActions({ tier: { name, version, isDefault } }: { tier: TierFactsFragment }) {
  const [, go] = useLocation();
  const showToast = useToast();
  const [asks, setAsks] = useState(false);
  const [problem, setProblem] = useState<string>();
  const retire = useChange(RetireTierDocument);
  const confirmed = async () => {
    const found = await problemsOf(() => retire.mutateAsync({ input: { name, expectedVersion: version } }));
    setProblem(found);
    if (found !== undefined) return;
    go('/tiers');
    showToast({ text: tiersText.toast.retired(name) });
  };
  return (
    <>
      <Link className="button" href={`/tier-form?${new URLSearchParams({ name })}`}>
        {commonText.edit}
      </Link>
      {/* Callers without an assigned tier are on the default tier. Another tier must become the
          default first. */}
      {!isDefault && (
        <button
          type="button"
          className="button button-danger"
          onClick={() => {
            setProblem(undefined);
            setAsks(true);
          }}
        >
          {commonText.retire}
        </button>
      )}
      {asks && (
        <Confirm
          title={tiersText.retire.title}
          action={commonText.retire}
          isPending={retire.isPending}
          problem={problem}
          onConfirm={() => void confirmed()}
          onClose={() => setAsks(false)}
        >
          <p>{tiersText.retire.text}</p>
        </Confirm>
      )}
    </>
  );
}
