import { percent } from '../../parts/text/format.js';
import { overviewText } from '../../text/overview-text.js';

export interface StatProps {
  label: string;
  value: string;
  unit?: string;
  /** Value in full, as a tooltip. */
  title?: string;
  /** Relative change since the previous range. Undefined: the previous value is missing or zero. */
  change?: number | undefined;
  /** Whether a higher value is worse. */
  isBad?: boolean;
  /** Current value. */
  now?: string | undefined;
}

/** Shows a number with its change. */
export function Stat({ label, value, unit, title, change, isBad = false, now }: StatProps) {
  const { stat } = overviewText;
  const tone = isBad && change !== undefined && change !== 0 ? (change > 0 ? 'up' : 'down') : '';
  const sign = change === undefined || change === 0 ? '±' : change > 0 ? '+' : '−';
  return (
    <div className="stat">
      <span className="stat-label">{label}</span>
      <span className="stat-value" title={title}>
        {value} {unit && <small>{unit}</small>}
      </span>
      <span className="stat-note">
        {change === undefined ? (
          stat.noEarlierData
        ) : (
          <span className={tone}>{stat.versusPrevious(`${sign}${percent(Math.abs(change))}`)}</span>
        )}
        {now && ` · ${now}`}
      </span>
    </div>
  );
}
