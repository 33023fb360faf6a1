import type { TierFactsFragment } from '../../generated/graphql.js';
import { Differences } from '../../parts/text/differences.js';
import { Icon } from '../../parts/text/icon.js';

export interface TierConflictProps {
  /** As the tier was when it began to be changed here. */
  before: TierFactsFragment;
  /** As it is now that another person has changed it. */
  now: TierFactsFragment;
  onTakeTheirs(): void;
  onKeepMine(): void;
}

/** Another person has saved first: what they changed, and whether your changes are to be given up or put on top. */
export function TierConflict({ before, now, onTakeTheirs, onKeepMine }: TierConflictProps) {
  const names = (Object.keys(now) as (keyof TierFactsFragment)[]).filter(
    (name) => name !== 'version' && JSON.stringify(now[name]) !== JSON.stringify(before[name]),
  );
  return (
    <div className="notice notice-warn" role="alert">
      <Icon name="warning" />
      <div>
        <strong>Somebody else has changed this tier meanwhile</strong>
        <Differences differences={names.map((path) => ({ path, before: before[path], after: now[path] }))} />
        <p>Nothing of yours is saved yet. What only they have changed stays in either case.</p>
        <div className="form-actions">
          <button type="button" className="button button-small" onClick={onKeepMine}>
            Put my changes on top
          </button>
          <button type="button" className="button button-small" onClick={onTakeTheirs}>
            Give mine up
          </button>
        </div>
      </div>
    </div>
  );
}
