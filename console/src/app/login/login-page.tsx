import { type FormEvent, useEffect, useRef, useState } from 'react';
import { AdminError } from '../../api/admin-error.js';
import { CodeText } from '../../parts/text/code-text.js';
import { loginText } from '../../text/login-text.js';
import { Brand } from '../brand.js';
import { logIn } from './session.js';

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
    document.title = loginText.documentTitle;
    field.current?.focus();
  }, []);
  useEffect(() => setProblem(why), [why]);

  async function send(event: FormEvent) {
    event.preventDefault();
    const token = field.current?.value.trim() ?? '';
    if (token === '') {
      setProblem(loginText.tokenMissing);
      return;
    }
    setBusy(true);
    setProblem(undefined);
    try {
      await logIn({ token });
      await onLoggedIn();
    } catch (error) {
      const isWrong = error instanceof AdminError && error.code === 'UNAUTHENTICATED';
      // The server does not reveal which of the reasons in this message applies.
      setProblem(isWrong ? loginText.tokenInvalid : error instanceof Error ? error.message : String(error));
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
        <h1>{loginText.title}</h1>
        <form onSubmit={send}>
          <label className="field">
            <span className="field-label">{loginText.token}</span>
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
            {isBusy ? loginText.loggingIn : loginText.logIn}
          </button>
        </form>
        <p id="login-help" className="muted small">
          <CodeText text={loginText.help} />
        </p>
      </div>
    </main>
  );
}
