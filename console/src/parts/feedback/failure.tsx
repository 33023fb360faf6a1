import { AdminError } from '../../api/admin-error.js';
import { commonText } from '../../text/common-text.js';
import { Icon } from '../text/icon.js';
import { visibleText } from '../text/visible-text.js';

/** Shows a notice about an error, with a button to retry. */
export function Failure({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  const code = error instanceof AdminError ? error.code : undefined;
  return (
    <div className="notice notice-error" role="alert">
      <Icon name="warning" />
      <div>
        <strong>{TITLES[code ?? ''] ?? commonText.error.loadFailed}</strong>
        {/* The message may contain names that others have chosen. */}
        <p>{visibleText(error.message, 1000)}</p>
        {onRetry && (
          <button type="button" className="button button-small" onClick={onRetry}>
            {commonText.retry}
          </button>
        )}
      </div>
    </div>
  );
}

const TITLES: Record<string, string> = {
  FORBIDDEN: commonText.error.forbidden,
  THROTTLED: commonText.error.throttled,
  UNREACHABLE: commonText.error.unreachable,
};
