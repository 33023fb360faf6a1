import { AdminError } from '../../api/admin-error.js';
import { Icon } from '../text/icon.js';
import { visibleText } from '../text/visible-text.js';

/** Why something could not be shown, and a way to try again. */
export function Failure({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  const code = error instanceof AdminError ? error.code : undefined;
  return (
    <div className="notice notice-error" role="alert">
      <Icon name="warning" />
      <div>
        <strong>{TITLES[code ?? ''] ?? 'This could not be loaded'}</strong>
        {/* It may repeat what was asked for, which others have named. */}
        <p>{visibleText(error.message, 1000)}</p>
        {onRetry && (
          <button type="button" className="button button-small" onClick={onRetry}>
            Try again
          </button>
        )}
      </div>
    </div>
  );
}

const TITLES: Record<string, string> = {
  FORBIDDEN: 'Your role does not allow this',
  THROTTLED: 'You have asked for much; wait a moment',
  UNREACHABLE: 'The platform does not answer',
};
