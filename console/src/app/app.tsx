import { QueryClientProvider } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { Router } from 'wouter';
import { AdminError } from '../api/admin-error.js';
import { whenSessionIsLost } from '../api/ask-admin.js';
import { here } from '../api/here.js';
import { createQueryClient } from '../api/use-admin.js';
import { Failure } from '../parts/feedback/failure.js';
import { Skeleton } from '../parts/feedback/skeleton.js';
import { Toasts } from '../parts/feedback/toasts.js';
import { commonText } from '../text/common-text.js';
import { loginText } from '../text/login-text.js';
import { shellText } from '../text/shell-text.js';
import { Brand } from './brand.js';
import { ErrorBoundary } from './error-boundary.js';
import { LoginPage } from './login/login-page.js';
import { logOut, readSession, type Session } from './login/session.js';
import { SessionContext } from './login/session-context.js';
import { Shell } from './shell.js';

type State =
  | { is: 'asking' }
  | { is: 'cut'; error: Error }
  | { is: 'out'; why?: string }
  | { is: 'in'; session: Session };

const queryClient = createQueryClient();
/**
 * Maximum time to wait for the code of a page before a placeholder is shown, in milliseconds. Once
 * React has shown a placeholder, it keeps the placeholder for a while, even if the code arrives.
 */
const MOST_WAIT_MS = 500;
/**
 * Time after which a placeholder is shown if there is no response about the session, in
 * milliseconds.
 */
const PLACEHOLDER_AFTER_MS = 1500;

/**
 * Shows the pages if there is a session, and the login form if there is none.
 * @param session resolves to the session that exists when the page is opened
 * @param page resolves when the requested page can be shown
 */
export function App({ session, page }: { session: Promise<Session | undefined>; page: Promise<void> }) {
  const [state, setState] = useState<State>({ is: 'asking' });

  const enter = useCallback((session: Session | undefined) => {
    setState(session ? { is: 'in', session } : { is: 'out' });
  }, []);
  const look = useCallback(async () => enter(await readSession()), [enter]);
  const fail = useCallback((error: unknown) => {
    // Without a response, it is unknown whether there is a session: the login form would mislead.
    if (error instanceof AdminError && error.code === 'UNREACHABLE') setState({ is: 'cut', error });
    else setState({ is: 'out', why: error instanceof Error ? error.message : String(error) });
  }, []);

  useEffect(() => {
    whenSessionIsLost(() => {
      queryClient.clear();
      setState((state) => (state.is === 'in' ? { is: 'out', why: loginText.sessionEnded } : state));
    });
    Promise.all([session, Promise.race([page, later(MOST_WAIT_MS)])])
      .then(([asked]) => enter(asked))
      .catch(fail);
  }, [session, page, enter, fail]);

  const inUse = useMemo(
    () =>
      state.is === 'in' && {
        ...state.session,
        async logOut() {
          await logOut();
          queryClient.clear();
          setState({ is: 'out' });
        },
      },
    [state],
  );

  return (
    <ErrorBoundary>
      <QueryClientProvider client={queryClient}>
        {state.is === 'asking' && <Waiting />}
        {state.is === 'cut' && <Unreachable error={state.error} onRetry={() => look().catch(fail)} />}
        {state.is === 'out' && <LoginPage why={state.why} onLoggedIn={look} />}
        {inUse && (
          <SessionContext value={inUse}>
            <Router base={here.base}>
              <Toasts>
                <Shell />
              </Toasts>
            </Router>
          </SessionContext>
        )}
      </QueryClientProvider>
    </ErrorBoundary>
  );
}

/**
 * Shows a placeholder if the session is unknown for long. A placeholder that is shown at once would
 * only flicker.
 */
function Waiting() {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PLACEHOLDER_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isLate) return null;
  return (
    <main className="login">
      <div className="login-card">
        <Brand />
        <h1 className="visually-hidden">{shellText.loadingPage}</h1>
        <Skeleton rows={6} label={shellText.loadingPage} />
      </div>
    </main>
  );
}

/** Shows the reason why the session is unknown. */
function Unreachable({ error, onRetry }: { error: Error; onRetry(): void }) {
  return (
    <main className="login">
      <div className="login-card">
        <Brand />
        <h1 className="visually-hidden">{commonText.error.unreachable}</h1>
        <Failure error={error} onRetry={onRetry} />
      </div>
    </main>
  );
}

function later(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
