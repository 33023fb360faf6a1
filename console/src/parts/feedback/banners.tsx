import { useSession } from '../../app/login/session-context.js';

/** What concerns every page. */
export function Banners() {
  const { version } = useSession();
  if (version === __TOLLGATE_VERSION__) return null;
  return (
    <div className="banner" role="status">
      <span>
        The server is version {version} now, this page {__TOLLGATE_VERSION__}.
      </span>
      <button type="button" className="button button-small" onClick={() => window.location.reload()}>
        Load it again
      </button>
    </div>
  );
}
