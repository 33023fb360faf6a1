import type { RuleMode } from '../../generated/graphql.js';
import { commonText } from '../../text/common-text.js';

const TONES: Record<RuleMode, string> = { ENFORCE: 'pill pill-good', SHADOW: 'pill pill-warn', OFF: 'pill' };

/** Shows the label of the mode of a rule. */
export function ModePill({ mode, percent }: { mode: RuleMode; percent: number }) {
  return (
    <span className={TONES[mode]}>
      {commonText.modes[mode]}
      {mode !== 'OFF' && percent < 100 && ` ${percent}%`}
    </span>
  );
}
