import { useState } from 'react';
import { commonText } from '../../text/common-text.js';
import { momentOf, TIME_ZONE } from '../text/moments.js';
import { CustomRange } from './custom-range.js';
import { type Preset, YESTERDAY } from './shown-range.js';
import type { RangeInUse } from './use-range.js';

export interface RangePickerProps {
  range: RangeInUse;
  presets: readonly Preset[];
  /** Maximum length of a custom range in days. @default 400, the maximum of usage by day */
  maxDays?: number;
  /** Whether the page can refresh its data. @default true */
  canBeLive?: boolean;
}

/** Values of the options that are not written to the URL. */
const [FIXED, CUSTOM] = ['fixed', 'custom'];

/**
 * Shows a selection of a range that ends now, of yesterday, or of a custom range, with a switch for
 * live updates.
 */
export function RangePicker({ range, presets, maxDays = 400, canBeLive = true }: RangePickerProps) {
  const [isAsked, setAsked] = useState(false);
  const text = commonText.range;
  return (
    <div className="range">
      <span className="muted small range-zone" title={text.timeZone}>
        {TIME_ZONE}
      </span>
      <select
        className="select"
        aria-label={text.label}
        value={range.preset ?? (range.isYesterday ? YESTERDAY : FIXED)}
        onChange={({ target }) => (target.value === CUSTOM ? setAsked(true) : range.set(target.value))}
      >
        {range.preset === undefined && !range.isYesterday && (
          <option value={FIXED}>{text.between(momentOf(range.fromMs), momentOf(range.toMs))}</option>
        )}
        {/* A URL may have a preset of another page. */}
        {range.preset !== undefined && !presets.includes(range.preset) && (
          <option value={range.preset}>{text.presets[range.preset]}</option>
        )}
        {presets.map((preset) => (
          <option key={preset} value={preset}>
            {text.presets[preset]}
          </option>
        ))}
        <option value={YESTERDAY}>{text.yesterday}</option>
        <option value={CUSTOM}>{text.custom.option}</option>
      </select>
      {isAsked && <CustomRange range={range} maxDays={maxDays} onClose={() => setAsked(false)} />}
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
          {text.live}
        </button>
      )}
    </div>
  );
}
