import type { TierFactsFragment } from '../../generated/graphql.js';
import { Icon } from '../../parts/text/icon.js';
import { visibleText } from '../../parts/text/visible-text.js';

export interface TierConflictProps {
  /** As the tier was when it began to be changed here. */
  before: TierFactsFragment;
  /** As somebody else has left it since. */
  now: TierFactsFragment;
  onTakeTheirs(): void;
  onKeepMine(): void;
}

/** Somebody else was faster: what they changed, and whether what is written here is to be given up or put on top. */
export function TierConflict({ before, now, onTakeTheirs, onKeepMine }: TierConflictProps) {
  const names = (Object.keys(now) as (keyof TierFactsFragment)[]).filter(
    (name) => name !== 'version' && JSON.stringify(now[name]) !== JSON.stringify(before[name]),
  );
  return (
    <div className="notice notice-warn" role="alert">
      <Icon name="warning" />
      <div>
        <strong>Somebody else has changed this tier meanwhile</strong>
        <div className="diff">
          {names.map((name) => (
            <div key={name}>
              {name}: <del>{visibleText(JSON.stringify(before[name]))}</del> →{' '}
              <ins>{visibleText(JSON.stringify(now[name]))}</ins>
            </div>
          ))}
        </div>
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
