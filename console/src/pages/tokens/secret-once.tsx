import { here } from '../../api/here.js';
import { CopyButton } from '../../parts/feedback/copy-button.js';
import { Modal } from '../../parts/form/modal.js';
import { commonText } from '../../text/common-text.js';
import { tokensText } from '../../text/tokens-text.js';

/**
 * Shows a new token once, in a dialog. A click outside does not close it, because the token would
 * be lost.
 */
export function SecretOnce({ secret, onClose }: { secret: string; onClose(): void }) {
  const command = `curl -s ${window.location.origin}${here.graphql} -H 'authorization: Bearer ${secret}' -H 'content-type: application/json' -d '{"query":"{ viewer { name role } }"}'`;
  return (
    <Modal title={tokensText.secret.title} staysOpen onClose={onClose}>
      <p>{tokensText.secret.hint}</p>
      <code className="secret">{secret}</code>
      <div className="form-actions">
        <CopyButton text={secret} label={tokensText.secret.copy} isWide />
        <CopyButton text={command} label={commonText.copy.asCurl} isWide />
        <button type="button" className="button" onClick={onClose}>
          {commonText.done}
        </button>
      </div>
    </Modal>
  );
}
