import { commonText } from '../../text/common-text.js';
import { momentOf, TIME_ZONE } from '../text/moments.js';
import { type Preset } from './shown-range.js';
import type { RangeInUse } from './use-range.js';

export interface RangePickerProps {
  range: RangeInUse;
  presets: readonly Preset[];
  /** Whether the page can refresh its data. @default true */
  canBeLive?: boolean;
}

/** Shows a selection of a range that ends now, with a switch for live updates. */
export function RangePicker({ range, presets, canBeLive = true }: RangePickerProps) {
  return (
    <div className="range">
      <span className="muted small range-zone" title={commonText.range.timeZone}>
        {TIME_ZONE}
      </span>
      <select
        className="select"
        aria-label={commonText.range.label}
        value={range.preset ?? 'own'}
        onChange={(event) => range.set(event.target.value)}
      >
        {range.preset === undefined && (
          <option value="own">{commonText.range.between(momentOf(range.fromMs), momentOf(range.toMs))}</option>
        )}
        {presets.map((preset) => (
          <option key={preset} value={preset}>
            {commonText.range.presets[preset]}
          </option>
        ))}
      </select>
      {canBeLive && (
        <button
          type="button"
          className="button live"
          role="switch"
          aria-checked={range.isLive}
          disabled={range.preset === undefined}
          onClick={() => range.setLive(!range.isLive)}
        >
          <span className="live-dot" />
          {commonText.range.live}
        </button>
      )}
    </div>
  );
}
