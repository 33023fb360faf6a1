import { differencesOf } from '../../../../src/rules/policy/difference.js';
import { commonText } from '../../text/common-text.js';
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
 * Shows a notice that another person has saved first. It shows the changes of that person, and the
 * result of applying the draft to them. The user applies or discards the draft.
 */
export function Conflict({ what, first, stored, merged, onTakeStored, onKeepMine }: ConflictProps) {
  const { conflict } = commonText;
  const mine = differencesBetween(stored, merged);
  return (
    <div className="notice notice-warn" role="alert">
      <Icon name="warning" />
      <div>
        <strong>{conflict.title(conflict[what])}</strong>
        <p>{conflict.notSaved}</p>
        <Differences differences={differencesBetween(first, stored)} />
        <p>{mine.length > 0 ? conflict.result : conflict.noDifference}</p>
        <Differences differences={mine} />
        <div className="form-actions">
          <button type="button" className="button button-small" onClick={onKeepMine}>
            {conflict.keepMine}
          </button>
          <button type="button" className="button button-small" onClick={onTakeStored}>
            {conflict.takeStored}
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
