import type { AdminRole } from '../generated/graphql.js';

const ROLES: Record<AdminRole, string> = {
  VIEWER: 'Viewer: read only',
  OPERATOR: 'Operator: manage callers, keys and rule modes',
  ADMIN: 'Admin: full access',
  DECIDER: 'Decider: only decisions, for routers and servers',
};

/** Texts of the page of admin tokens. */
export const tokensText = {
  title: 'Admin tokens',
  lead: 'Access to the console and the admin API. TOLLGATE_ADMIN_TOKEN is not listed here.',
  adminsOnly: 'Only admins can see admin tokens',
  adminsOnlyHint: 'Ask an admin for access.',

  list: {
    title: 'Tokens',
    empty: 'No tokens yet',
    emptyHint: 'Everyone using TOLLGATE_ADMIN_TOKEN appears as "admin" in History. Create a token per person.',
    holder: 'Holder',
    expires: 'Expires',
    never: 'never',
    states: { active: 'active', replaced: 'replaced', expired: 'expired', revoked: 'revoked' },
  },

  action: { create: 'New token', replace: 'Replace' },

  form: {
    title: 'New token',
    holder: 'Holder',
    holderHint: 'Shown in History next to their changes.',
    role: 'Role',
    roles: ROLES,
  },

  secret: {
    title: 'New admin token',
    hint: 'Copy it now: it is not shown again. Use it to log in, or send it to the admin API as a bearer token.',
    copy: 'Copy token',
  },

  confirm: {
    revokeTitle: (holder: string) => `Revoke the token of ${holder}?`,
    replaceTitle: (holder: string) => `Replace the token of ${holder}?`,
    revokeText: 'It stops working at once, and its sessions end. This cannot be undone.',
    replaceText: 'This creates a token with the same name and role. The old token works for another 24 hours.',
    ownToken: 'This token has your name. If you logged in with it, you will be logged out.',
  },

  toast: { revoked: (holder: string) => `Token of ${holder} revoked` },

  sessions: {
    title: 'Active sessions',
    empty: 'No active sessions',
    emptyHint: 'The application that serves this page has logged you in.',
    holder: 'Holder',
    loggedIn: 'Logged in',
    lastUsed: 'Last used',
    logOut: 'Log out',
    confirmTitle: (holder: string) => `Log out this session of ${holder}?`,
    confirmText: 'They can log in again with their token. To prevent that, revoke the token.',
    ownSession: 'This may be your current session.',
  },
} as const;
