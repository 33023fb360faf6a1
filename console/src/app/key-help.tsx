import { Fragment } from 'react';
import { Modal } from '../parts/form/modal.js';
import { routesFor } from './console-routes.js';
import { useSession } from './login/session-context.js';

/** Shows the list of all keys. It is in a separate chunk because it needs the dialog. */
export function KeyHelp({ onClose }: { onClose(): void }) {
  const { role } = useSession();
  return (
    <Modal title="Keys" onClose={onClose}>
      <dl className="keys">
        {routesFor(role)
          .filter(({ nav }) => nav?.key)
          .map(({ path, title, nav }) => (
            <Fragment key={path}>
              <dt>
                <kbd>g</kbd> <kbd>{nav?.key}</kbd>
              </dt>
              <dd>{title}</dd>
            </Fragment>
          ))}
        <dt>
          <kbd>/</kbd>
        </dt>
        <dd>The first filter of the page</dd>
        <dt>
          <kbd>?</kbd>
        </dt>
        <dd>These keys</dd>
      </dl>
      <div className="form-actions">
        <button type="button" className="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Modal>
  );
}
