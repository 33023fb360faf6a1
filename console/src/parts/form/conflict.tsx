import { differencesOf } from '../../../../src/rules/policy/difference.js';
import { type Difference, Differences } from '../text/differences.js';
import { Icon } from '../text/icon.js';

export interface ConflictProps {
  what: 'rule' | 'tier';
  /** Version on which the draft is based. */
  first: object;
  /** Version that is stored now, after a change by another person. */
  stored: object;
  /** Stored version with the changes of the draft applied. */
  merged: object;
  onTakeStored(): void;
  onKeepMine(): void;
}

/**
 * Shows a notice that another person has saved first. It shows their changes and the effect of the
 * draft on top, and offers both. The draft is kept until the user discards it.
 */
export function Conflict({ what, first, stored, merged, onTakeStored, onKeepMine }: ConflictProps) {
  const mine = differencesBetween(stored, merged);
  return (
    <div className="notice notice-warn" role="alert">
      <Icon name="warning" />
      <div>
        <strong>Somebody else has changed this {what} meanwhile</strong>
        <p>Nothing of yours is saved yet. What is stored now differs from what you began with:</p>
        <Differences differences={differencesBetween(first, stored)} />
        <p>
          {mine.length > 0 ? 'Your changes on top would make of it:' : 'Your changes would alter nothing about it.'}
        </p>
        <Differences differences={mine} />
        <div className="form-actions">
          <button type="button" className="button button-small" onClick={onKeepMine}>
            Put my changes on top
          </button>
          <button type="button" className="button button-small" onClick={onTakeStored}>
            Take what is stored
          </button>
        </div>
      </div>
    </div>
  );
}

function differencesBetween(before: object, after: object): Difference[] {
  const read = (json: string | null): unknown => (json === null ? null : JSON.parse(json));
  return differencesOf(before, after).map((one) => ({ ...one, before: read(one.before), after: read(one.after) }));
}
