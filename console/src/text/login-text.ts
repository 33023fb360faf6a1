/** Texts of the login page. Backticks mark code. */
export const loginText = {
  documentTitle: 'Log in · Tollgate',
  title: 'Log in',
  token: 'Admin token',
  logIn: 'Log in',
  loggingIn: 'Logging in…',
  tokenMissing: 'Enter an admin token.',
  tokenInvalid:
    'That is not a valid admin token. It may have expired or been revoked. API keys of callers do not work here.',
  help: '`tollgate start` prints a token and a one-time login link. On a server, use the value of `TOLLGATE_ADMIN_TOKEN` or a token that an administrator created for you. The browser does not store the token.',
  sessionEnded: 'Your session has ended. Log in again.',
} as const;
