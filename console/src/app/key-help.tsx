import { Fragment } from 'react';
import { Modal } from '../parts/form/modal.js';
import { commonText } from '../text/common-text.js';
import { shellText } from '../text/shell-text.js';
import { routesFor } from './console-routes.js';
import { useSession } from './login/session-context.js';
import { SEARCH_KEY } from './search/search-key.js';

/** Shows the keyboard shortcuts. It is in a separate chunk because it needs the dialog. */
export function KeyHelp({ onClose }: { onClose(): void }) {
  const { shortcuts } = shellText;
  const { role } = useSession();
  return (
    <Modal title={shortcuts.title} onClose={onClose}>
      <dl className="keys">
        {routesFor(role)
          .filter(({ nav }) => nav?.key)
          .map(({ path, title, nav }) => (
            <Fragment key={path}>
              <dt>
                <kbd>{shortcuts.go}</kbd> <kbd>{nav?.key}</kbd>
              </dt>
              <dd>{title}</dd>
            </Fragment>
          ))}
        <dt>
          <kbd>{SEARCH_KEY.shown}</kbd>
        </dt>
        <dd>{shortcuts.search}</dd>
        <dt>
          <kbd>/</kbd>
        </dt>
        <dd>{shortcuts.filter}</dd>
        <dt>
          <kbd>{shortcuts.f6}</kbd>
        </dt>
        <dd>{shortcuts.toast}</dd>
        <dt>
          <kbd>?</kbd>
        </dt>
        <dd>{shortcuts.help}</dd>
      </dl>
      <div className="form-actions">
        <button type="button" className="button" onClick={onClose}>
          {commonText.close}
        </button>
      </div>
    </Modal>
  );
}
