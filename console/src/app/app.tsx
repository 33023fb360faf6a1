import { QueryClientProvider } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { Router } from 'wouter';
import { whenSessionIsLost } from '../api/ask-admin.js';
import { here } from '../api/here.js';
import { createQueryClient } from '../api/use-admin.js';
import { Toasts } from '../parts/feedback/toasts.js';
import { loginText } from '../text/login-text.js';
import { ErrorBoundary } from './error-boundary.js';
import { LoginPage } from './login/login-page.js';
import { logOut, readSession, type Session } from './login/session.js';
import { SessionContext } from './login/session-context.js';
import { Shell } from './shell.js';

type State = { is: 'asking' } | { is: 'out'; why?: string } | { is: 'in'; session: Session };

const queryClient = createQueryClient();
/**
 * Maximum time to wait for the code of a page before a placeholder is shown, in milliseconds. React
 * keeps a placeholder for a while once it is shown, so the page appears sooner after a short wait.
 */
const MOST_WAIT_MS = 500;

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

  useEffect(() => {
    const failed = (error: unknown) =>
      setState({ is: 'out', why: error instanceof Error ? error.message : String(error) });
    whenSessionIsLost(() => {
      queryClient.clear();
      setState((state) => (state.is === 'in' ? { is: 'out', why: loginText.sessionEnded } : state));
    });
    Promise.all([session, Promise.race([page, later(MOST_WAIT_MS)])])
      .then(([asked]) => enter(asked))
      .catch(failed);
  }, [session, page, enter]);

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

function later(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
