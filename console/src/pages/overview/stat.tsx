import { percent } from '../../parts/text/format.js';
import { overviewText } from '../../text/overview-text.js';

export interface StatProps {
  label: string;
  value: string;
  unit?: string;
  /** Value in full, as a tooltip. */
  title?: string;
  /**
   * Relative change since the range before. Null: the number was zero then. Undefined: there is no
   * usage in the range before, so no tile shows a change.
   */
  change?: number | null | undefined;
  /** Whether a higher value is worse. */
  isBad?: boolean;
  /** Current value. */
  now?: string | undefined;
}

/** Shows a number with its change. */
export function Stat({ label, value, unit, title, change, isBad = false, now }: StatProps) {
  const { stat } = overviewText;
  const tone = isBad && change ? (change > 0 ? 'up' : 'down') : '';
  const sign = !change ? '±' : change > 0 ? '+' : '−';
  const compared =
    change === null ? (
      stat.noneBefore
    ) : change === undefined ? null : (
      <span className={tone}>{stat.versusPrevious(`${sign}${percent(Math.abs(change))}`)}</span>
    );
  return (
    <div className="stat">
      <span className="stat-label">{label}</span>
      <span className="stat-value" title={title}>
        {value} {unit && <small>{unit}</small>}
      </span>
      <span className="stat-note">
        {compared}
        {compared && now ? ` · ${now}` : now}
      </span>
    </div>
  );
}
