import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { Banners } from '../parts/feedback/banners.js';
import { Skeleton } from '../parts/feedback/skeleton.js';
import { Icon } from '../parts/text/icon.js';
import { commonText } from '../text/common-text.js';
import { shellText } from '../text/shell-text.js';
import { Brand } from './brand.js';
import { ROUTES } from './console-routes.js';
import { ErrorBoundary } from './error-boundary.js';
import { useSession } from './login/session-context.js';
import { Navigation } from './navigation.js';
import { NotFound } from './not-found.js';
import { loadSearch, Search } from './search/search.js';
import { SearchButton } from './search/search-button.js';
import { ThemeSwitch } from './theme-switch.js';
import { useKeys } from './use-keys.js';

/** Dialogs of the frame. Each is in a separate chunk. */
type ShellDialog = 'keys' | 'search';

const KeyHelp = lazy(async () => ({ default: (await import('./key-help.js')).KeyHelp }));

/** Time after the start until the search is loaded, in milliseconds. The page is loaded first. */
const LOAD_SEARCH_MS = 1000;

/** Shows the frame around every page: navigation, account, banners. */
export function Shell() {
  const [location] = useLocation();
  const [isOpen, setOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  const [dialog, setDialog] = useState<ShellDialog>();
  const onHelp = useCallback(() => setDialog('keys'), []);
  const onSearch = useCallback(() => setDialog('search'), []);
  const onClose = useCallback(() => setDialog(undefined), []);
  useKeys({ onHelp, onSearch });

  useEffect(() => {
    const timer = setTimeout(() => void loadSearch().catch(() => {}), LOAD_SEARCH_MS);
    return () => clearTimeout(timer);
  }, []);

  useEffect(() => {
    const title = ROUTES.find(({ path }) => path === location)?.title;
    document.title = shellText.documentTitle(title ?? shellText.pages.notFound);
    // A new page starts at its top, visually and for screen readers.
    if (!isFirst.current) main.current?.focus({ preventScroll: true });
    isFirst.current = false;
    window.scrollTo(0, 0);
  }, [location]);

  return (
    <div className="shell" data-open={isOpen}>
      {/* This is a button, because a link to #main would be resolved against <base>. */}
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        {shellText.skipToContent}
      </button>
      <header className="side">
        <div className="side-top">
          <Brand />
          <SearchButton onOpen={onSearch} />
          <button
            type="button"
            className="icon-button side-toggle"
            aria-expanded={isOpen}
            aria-controls="side-body"
            aria-label={isOpen ? shellText.closeMenu : shellText.openMenu}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name={isOpen ? 'close' : 'menu'} />
          </button>
        </div>
        <div className="side-body" id="side-body">
          <Navigation onGo={() => setOpen(false)} />
          <Account />
        </div>
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        <Banners />
        <ErrorBoundary resetOn={location}>
          <Suspense fallback={<PageSkeleton />}>
            <Switch>
              {ROUTES.map(({ path, component }) => (
                <Route key={path} path={path} component={component} />
              ))}
              <Route component={NotFound} />
            </Switch>
          </Suspense>
        </ErrorBoundary>
      </main>
      <Suspense>{dialog === 'keys' && <KeyHelp onClose={onClose} />}</Suspense>
      {dialog === 'search' && <Search onClose={onClose} />}
    </div>
  );
}

function Account() {
  const { name, role, readOnly, logOut } = useSession();
  const [problem, setProblem] = useState<string>();
  function leave() {
    setProblem(undefined);
    logOut().catch((error: Error) => setProblem(error.message));
  }
  return (
    <div className="account">
      {problem !== undefined && (
        <p className="account-problem field-problem" role="alert">
          {shellText.logOutFailed(problem)}
        </p>
      )}
      <div className="account-who">
        <bdi className="account-name">{name}</bdi>
        <span className="muted small">
          {commonText.roles[role]}
          {readOnly && `, ${shellText.readOnly}`}
        </span>
      </div>
      <ThemeSwitch />
      <button
        type="button"
        className="icon-button"
        onClick={leave}
        title={shellText.logOut}
        aria-label={shellText.logOut}
      >
        <Icon name="out" />
      </button>
    </div>
  );
}

function PageSkeleton() {
  return (
    <div className="page">
      <Skeleton rows={6} label={shellText.loadingPage} />
    </div>
  );
}
