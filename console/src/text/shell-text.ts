import type { Theme } from '../app/theme.js';

const THEMES: Record<Theme, string> = { auto: 'system', light: 'light', dark: 'dark' };

/** Texts of the frame around the pages: navigation, banners, account, shortcuts. */
export const shellText = {
  product: 'Tollgate',
  documentTitle: (page: string) => `${page} · Tollgate`,
  navigation: 'Pages',
  groups: { monitor: 'Monitor', configure: 'Configure', platform: 'Platform' },
  pages: {
    overview: 'Overview',
    denials: 'Denials',
    callers: 'Callers',
    caller: 'Caller',
    operations: 'Operations',
    rules: 'Rules',
    rule: 'Rule',
    ruleForm: 'Edit rule',
    tiers: 'Tiers',
    tier: 'Tier',
    tierForm: 'Edit tier',
    documents: 'Documents',
    version: 'Version',
    fields: 'Fields',
    explorer: 'Explorer',
    export: 'Export',
    health: 'Health',
    adminApi: 'Admin API',
    tokens: 'Admin tokens',
    history: 'History',
    notFound: 'Page not found',
  },

  skipToContent: 'Skip to content',
  openMenu: 'Open menu',
  closeMenu: 'Close menu',
  loadingPage: 'Loading page',
  goTo: (page: string) => `Go to ${page}`,

  readOnly: 'read-only',
  logOut: 'Log out',
  logOutFailed: (reason: string) => `Could not log out: ${reason}. You are still logged in.`,
  theme: (current: Theme, next: Theme) => `Theme: ${THEMES[current]}. Switch to ${THEMES[next]}`,

  search: {
    button: 'Search',
    title: 'Search callers, rules, operations and pages',
    placeholder: 'Caller, rule, operation or page',
    keys: { command: '⌘K', control: 'Ctrl K' },
    pages: 'Pages',
    actions: 'Actions',
    callers: 'Callers',
    rules: 'Rules',
    operations: 'Operations, last 24 h',
    newRule: 'New rule',
    newTier: 'New tier',
    pageKey: (key: string) => `g ${key}`,
    ofTenant: (tenant: string) => `tenant ${tenant}`,
    inTier: (tier: string) => `tier ${tier}`,
    searching: 'Searching…',
    nothing: 'No results. Type the beginning of a caller’s id (case-sensitive), or a part of another name.',
    hint: '↑ ↓ to move, Enter to open, Esc to close',
  },

  shortcuts: {
    title: 'Keyboard shortcuts',
    go: 'g',
    f6: 'F6',
    search: 'Search',
    filter: 'Focus the first filter',
    toast: 'Focus the newest notification',
    help: 'Show shortcuts',
  },

  banner: {
    disconnected: 'Disconnected.',
    cannotReach: 'Cannot reach the server. The data shown may be outdated.',
    degraded: 'Degraded.',
    more: (count: number) => `(and ${count} more)`,
    upgraded: (server: string, page: string) => `The server runs version ${server}, this page version ${page}.`,
    reload: 'Reload',
    health: 'Health',
  },

  notFound: {
    title: 'Page not found',
    hint: 'The address may be incomplete, or belong to another version of the console.',
    toOverview: 'Go to Overview',
  },

  failedPart: {
    title: 'This section could not be displayed',
    reload: 'Reload page',
  },
} as const;
