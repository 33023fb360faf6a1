import { AdminError } from '../../api/admin-error.js';
import { commonText } from '../../text/common-text.js';
import { Icon } from '../text/icon.js';
import { visibleText } from '../text/visible-text.js';

export interface FailureProps {
  error: Error;
  onRetry?: () => void;
  /** Whether a retry that the user started is running. @default false */
  isRetrying?: boolean;
}

/** Shows a notice about an error: what to do, and a button to retry. */
export function Failure({ error, onRetry, isRetrying = false }: FailureProps) {
  const code = error instanceof AdminError ? error.code : '';
  const { title, hint } = WORDS[code] ?? commonText.error.other;
  return (
    <div className="notice notice-error" role="alert">
      <Icon name="warning" />
      <div>
        <strong>{title}</strong>
        {/* The message may contain names that others have chosen. */}
        {error.message !== title && <p>{visibleText(error.message, 1000)}</p>}
        <p>{hint}</p>
        {onRetry && (
          // `disabled` would remove the focus from the button, so only `aria-disabled` is set.
          <button type="button" className="button button-small" aria-disabled={isRetrying} onClick={onRetry}>
            {isRetrying ? commonText.retrying : commonText.retry}
          </button>
        )}
      </div>
    </div>
  );
}

const { forbidden, throttled, unreachable } = commonText.error.titled;
const WORDS: Record<string, { title: string; hint: string }> = {
  FORBIDDEN: forbidden,
  THROTTLED: throttled,
  UNREACHABLE: unreachable,
};
