import { QueryClientProvider } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { Router } from 'wouter';
import { whenSessionIsLost } from '../api/ask-admin.js';
import { here } from '../api/here.js';
import { createQueryClient } from '../api/use-admin.js';
import { ErrorBoundary } from './error-boundary.js';
import { LoginPage } from './login/login-page.js';
import { logIn, logOut, readSession, type Session } from './login/session.js';
import { SessionContext } from './login/session-context.js';
import { takeProof } from './login/take-proof.js';
import { Shell } from './shell.js';

type State = { is: 'asking' } | { is: 'out'; why?: string } | { is: 'in'; session: Session };

const queryClient = createQueryClient();

/** After the login the pages, before it the form to log in with. */
export function App() {
  const [state, setState] = useState<State>({ is: 'asking' });

  const look = useCallback(async () => {
    const session = await readSession();
    setState(session ? { is: 'in', session } : { is: 'out' });
  }, []);

  useEffect(() => {
    const failed = (error: unknown) =>
      setState({ is: 'out', why: error instanceof Error ? error.message : String(error) });
    whenSessionIsLost(() => {
      queryClient.clear();
      setState((state) => (state.is === 'in' ? { is: 'out', why: 'Your session has ended. Log in again.' } : state));
    });
    const { code, address } = takeProof(window.location.href);
    // Before anything is sent: what stands in the address bar ends up in histories and screenshots.
    if (code !== undefined) window.history.replaceState(null, '', address);
    (code === undefined ? look() : logIn({ code }).then(look)).catch(failed);
  }, [look]);

  const inUse = useMemo(
    () =>
      state.is === 'in' && {
        ...state.session,
        logOut() {
          queryClient.clear();
          logOut().then(
            () => setState({ is: 'out' }),
            (error: Error) => setState({ is: 'out', why: error.message }),
          );
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
              <Shell />
            </Router>
          </SessionContext>
        )}
      </QueryClientProvider>
    </ErrorBoundary>
  );
}
