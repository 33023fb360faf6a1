import { here } from '../../api/here.js';
import { CopyButton } from '../../parts/feedback/copy-button.js';
import { Modal } from '../../parts/form/modal.js';

/**
 * Shows a new token once, in a dialog. A click outside does not close it, because the token would
 * be lost.
 */
export function SecretOnce({ secret, onClose }: { secret: string; onClose(): void }) {
  const command = `curl -s ${window.location.origin}${here.graphql} -H 'authorization: Bearer ${secret}' -H 'content-type: application/json' -d '{"query":"{ viewer { name role } }"}'`;
  return (
    <Modal title="The new token" staysOpen onClose={onClose}>
      <p>It is shown this once and kept nowhere. It logs in here, and is sent to the admin API as a bearer token.</p>
      <code className="secret">{secret}</code>
      <div className="form-actions">
        <CopyButton text={secret} label="Copy the token" isWide />
        <CopyButton text={command} label="Copy as curl" isWide />
        <button type="button" className="button" onClick={onClose}>
          Done
        </button>
      </div>
    </Modal>
  );
}
