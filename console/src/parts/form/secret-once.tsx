import { commonText } from '../../text/common-text.js';
import { CopyButton } from '../feedback/copy-button.js';
import { Modal } from './modal.js';

export interface SecretOnceProps {
  title: string;
  hint: string;
  secret: string;
  /** Label of the button that copies the secret. */
  copyLabel: string;
  /** Command that uses the secret, to be copied. */
  command?: string;
  onClose(): void;
}

/**
 * Shows a new secret once, in a dialog. A click outside does not close it, because the secret would
 * be lost.
 */
export function SecretOnce({ title, hint, secret, copyLabel, command, onClose }: SecretOnceProps) {
  return (
    <Modal title={title} staysOpen onClose={onClose}>
      <p>{hint}</p>
      <code className="secret">{secret}</code>
      <div className="form-actions">
        <CopyButton text={secret} label={copyLabel} isWide />
        {command && <CopyButton text={command} label={commonText.copy.asCurl} isWide />}
        <button type="button" className="button" onClick={onClose}>
          {commonText.done}
        </button>
      </div>
    </Modal>
  );
}
