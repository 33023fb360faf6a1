import { useState } from 'react';
import type { TierBucketFragment } from '../../generated/graphql.js';
import { Confirm } from '../../parts/form/confirm.js';
import { Labelled } from '../../parts/form/labelled.js';
import { visibleText } from '../../parts/text/visible-text.js';
import { callersText } from '../../text/callers-text.js';
import { bucketText } from '../tiers/bucket-text.js';

const { tierDialog: text } = callersText;

export interface TierDialogProps {
  title: string;
  /** Label of the button that confirms. */
  action: string;
  tiers: readonly TierBucketFragment[];
  /** Tier of a caller without an assigned tier: the tier of its tenant, or the default tier. */
  inherited: { tier: TierBucketFragment; isOfTenant: boolean };
  /** Assigned tier of the caller. Null: none. Undefined: the caller is new. */
  assigned: string | null | undefined;
  /** Whether a custom limit replaces the bucket of the tier. */
  hasCustomLimit: boolean;
  isPending: boolean;
  /** Resolves to the reason if the change failed. */
  onConfirm(tier: string | null, label: string): Promise<string | undefined>;
  onClose(): void;
}

/** Shows a dialog that selects the tier of a caller, with the buckets before and after. */
export function TierDialog(props: TierDialogProps) {
  const { title, action, tiers, inherited, assigned, hasCustomLimit, isPending, onConfirm, onClose } = props;
  const [chosen, setChosen] = useState(assigned ?? null);
  const [problem, setProblem] = useState<string>();
  const tierOf = (name: string | null) => tiers.find((tier) => tier.name === name) ?? inherited.tier;
  const labelOf = (name: string | null) => {
    const shown = visibleText(tierOf(name).displayName, 40);
    if (name !== null) return shown;
    return (inherited.isOfTenant ? text.tenantTier : text.defaultTier)(shown);
  };
  const described = (name: string | null) => text.change(labelOf(name), bucketText(tierOf(name)));

  async function confirmed() {
    const found = await onConfirm(chosen, labelOf(chosen));
    setProblem(found);
    if (found === undefined) onClose();
  }
  return (
    <Confirm
      title={title}
      action={action}
      isDangerous={false}
      isPending={isPending || chosen === assigned}
      problem={problem}
      onConfirm={() => void confirmed()}
      onClose={onClose}
    >
      <Labelled label={text.tier}>
        {(control) => (
          <select
            {...control}
            className="select"
            value={chosen ?? ''}
            onChange={(event) => setChosen(event.target.value || null)}
          >
            {[null, ...tiers.map(({ name }) => name)].map((name) => (
              <option key={name} value={name ?? ''}>
                {labelOf(name)}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      <dl className="facts">
        {assigned !== undefined && (
          <>
            <dt>{text.before}</dt>
            <dd>{described(assigned)}</dd>
          </>
        )}
        <dt>{text.after}</dt>
        <dd>{described(chosen)}</dd>
      </dl>
      <p className="muted">{hasCustomLimit ? text.customLimit : text.spent}</p>
    </Confirm>
  );
}
