import { shellText } from '../text/shell-text.js';

/** Shows the logo with the name. */
export function Brand() {
  return (
    <span className="brand">
      <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
        <rect className="brand-plate" width="32" height="32" rx="7" />
        <path className="brand-line" d="M9 25V12M9 14.5 24 7.5M6 25h20" />
        <circle className="brand-knob" cx="9" cy="12" r="2.4" />
      </svg>
      <span>{shellText.product}</span>
    </span>
  );
}
