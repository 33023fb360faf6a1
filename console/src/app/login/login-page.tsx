import { type FormEvent, useEffect, useRef, useState } from 'react';
import { AdminError } from '../../api/admin-error.js';
import { Brand } from '../brand.js';
import { logIn } from './session.js';

/** Message for an invalid token. The platform does not reveal which of these reasons applies. */
const NOT_GOOD =
  'This is no token of an administrator, or it has expired or was revoked. API keys of callers do not log in here.';

export interface LoginPageProps {
  why?: string | undefined;
  onLoggedIn(): Promise<void>;
}

/**
 * Shows the login form for the token of an administrator. The token is sent once and not stored.
 */
export function LoginPage({ why, onLoggedIn }: LoginPageProps) {
  const [problem, setProblem] = useState(why);
  const [isBusy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);

  useEffect(() => {
    document.title = 'Log in · Tollgate';
    field.current?.focus();
  }, []);
  useEffect(() => setProblem(why), [why]);

  async function send(event: FormEvent) {
    event.preventDefault();
    const token = field.current?.value.trim() ?? '';
    if (token === '') {
      setProblem('Paste the token first.');
      return;
    }
    setBusy(true);
    setProblem(undefined);
    try {
      await logIn({ token });
      await onLoggedIn();
    } catch (error) {
      const isWrong = error instanceof AdminError && error.code === 'UNAUTHENTICATED';
      setProblem(isWrong ? NOT_GOOD : error instanceof Error ? error.message : String(error));
      // A token that was not checked can be sent again, so it stays in the field.
      if (isWrong && field.current) field.current.value = '';
      field.current?.focus();
    }
    setBusy(false);
  }

  return (
    <main className="login">
      <div className="login-card">
        <Brand />
        <h1>Log in</h1>
        <form onSubmit={send}>
          <label className="field">
            <span className="field-label">Token of an administrator</span>
            <input
              ref={field}
              className="input mono"
              type="password"
              name="token"
              autoComplete="current-password"
              spellCheck={false}
              aria-describedby="login-help"
              aria-invalid={problem !== undefined}
            />
          </label>
          <p className="form-problem" role="alert">
            {problem}
          </p>
          <button type="submit" className="button button-primary button-wide" disabled={isBusy}>
            {isBusy ? 'Logging in…' : 'Log in'}
          </button>
        </form>
        <p id="login-help" className="muted small">
          <code>tollgate start</code> prints a token and a link that logs you in once. On servers it is the value of{' '}
          <code>TOLLGATE_ADMIN_TOKEN</code>, or a token that an administrator made for you. It is sent once and kept
          nowhere in this browser.
        </p>
      </div>
    </main>
  );
}
