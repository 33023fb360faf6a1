import type { AdminRole } from '../generated/graphql.js';
import type { IconName } from '../parts/text/icon.js';
import { shellText } from '../text/shell-text.js';
import { type InChunk, inChunk } from './in-chunk.js';
import { mayDo } from './login/session-context.js';

export interface Route extends InChunk<object> {
  /** Path relative to the base of the console. */
  path: string;
  title: string;
  /** Position in the navigation. Undefined: only other pages link to the page. */
  nav?: { group: (typeof GROUPS)[number]; icon: IconName; key?: string };
  /** Path of the page in the navigation that this one belongs to. */
  below?: string;
  /**
   * Minimum role. For a lower role, the server would reject all requests of the page.
   * @default VIEWER
   */
  needs?: AdminRole;
}

/** Returns the pages that a role may open. */
export function routesFor(role: AdminRole): readonly Route[] {
  return ROUTES.filter(({ needs = 'VIEWER' }) => mayDo(role, needs));
}

/**
 * Loads the page at a path while the session is not yet known. Resolves when the page is loaded or
 * has failed to load.
 */
export async function loadPageAt(path: string): Promise<void> {
  try {
    await ROUTES.find((route) => route.path === path)?.load();
  } catch {
    // The error is shown in place of the page.
  }
}

const { groups, pages } = shellText;

/** Groups of the navigation, in their order. */
export const GROUPS = [groups.monitor, groups.configure, groups.platform] as const;

/** All pages. Each is in a separate chunk that is loaded on demand. */
export const ROUTES: readonly Route[] = [
  {
    path: '/',
    title: pages.overview,
    nav: { group: groups.monitor, icon: 'overview', key: 'o' },
    ...inChunk(async () => (await import('../pages/overview/overview-page.js')).OverviewPage),
  },
  {
    path: '/denials',
    title: pages.denials,
    nav: { group: groups.monitor, icon: 'denied', key: 'd' },
    ...inChunk(async () => (await import('../pages/denials/denials-page.js')).DenialsPage),
  },
  {
    path: '/callers',
    title: pages.callers,
    nav: { group: groups.monitor, icon: 'callers', key: 'c' },
    ...inChunk(async () => (await import('../pages/callers/callers-page.js')).CallersPage),
  },
  {
    path: '/caller',
    title: pages.caller,
    below: '/callers',
    ...inChunk(async () => (await import('../pages/callers/caller-page.js')).CallerPage),
  },
  {
    path: '/operations',
    title: pages.operations,
    nav: { group: groups.monitor, icon: 'operations', key: 'p' },
    ...inChunk(async () => (await import('../pages/operations/operations-page.js')).OperationsPage),
  },
  {
    path: '/rules',
    title: pages.rules,
    nav: { group: groups.configure, icon: 'rules', key: 'r' },
    ...inChunk(async () => (await import('../pages/rules/rules-page.js')).RulesPage),
  },
  {
    path: '/rule',
    title: pages.rule,
    below: '/rules',
    ...inChunk(async () => (await import('../pages/rules/rule-page.js')).RulePage),
  },
  {
    path: '/rule-form',
    title: pages.ruleForm,
    below: '/rules',
    ...inChunk(async () => (await import('../pages/rules/form/rule-form-page.js')).RuleFormPage),
  },
  {
    path: '/tiers',
    title: pages.tiers,
    nav: { group: groups.configure, icon: 'tiers', key: 't' },
    ...inChunk(async () => (await import('../pages/tiers/tiers-page.js')).TiersPage),
  },
  {
    path: '/tier',
    title: pages.tier,
    below: '/tiers',
    ...inChunk(async () => (await import('../pages/tiers/tier-page.js')).TierPage),
  },
  {
    path: '/tier-form',
    title: pages.tierForm,
    below: '/tiers',
    ...inChunk(async () => (await import('../pages/tiers/tier-form-page.js')).TierFormPage),
  },
  {
    path: '/documents',
    title: pages.documents,
    nav: { group: groups.configure, icon: 'documents', key: 'm' },
    ...inChunk(async () => (await import('../pages/documents/documents-page.js')).DocumentsPage),
  },
  {
    path: '/documents-of',
    title: pages.version,
    below: '/documents',
    ...inChunk(async () => (await import('../pages/documents/version-page.js')).VersionPage),
  },
  {
    path: '/fields',
    title: pages.fields,
    nav: { group: groups.configure, icon: 'fields', key: 'f' },
    ...inChunk(async () => (await import('../pages/fields/fields-page.js')).FieldsPage),
  },
  {
    path: '/explorer',
    title: pages.explorer,
    nav: { group: groups.configure, icon: 'explorer', key: 'e' },
    ...inChunk(async () => (await import('../pages/explorer/explorer-page.js')).ExplorerPage),
  },
  {
    path: '/export',
    title: pages.export,
    nav: { group: groups.platform, icon: 'export', key: 'x' },
    ...inChunk(async () => (await import('../pages/export/export-page.js')).ExportPage),
  },
  {
    path: '/health',
    title: pages.health,
    nav: { group: groups.platform, icon: 'health', key: 's' },
    ...inChunk(async () => (await import('../pages/health/health-page.js')).HealthPage),
  },
  {
    path: '/graphql',
    title: pages.adminApi,
    nav: { group: groups.platform, icon: 'api', key: 'a' },
    ...inChunk(async () => (await import('../pages/admin-api/admin-api-page.js')).AdminApiPage),
  },
  {
    path: '/tokens',
    title: pages.tokens,
    nav: { group: groups.platform, icon: 'tokens', key: 'k' },
    needs: 'ADMIN',
    ...inChunk(async () => (await import('../pages/tokens/tokens-page.js')).TokensPage),
  },
  {
    path: '/history',
    title: pages.history,
    nav: { group: groups.platform, icon: 'history', key: 'h' },
    ...inChunk(async () => (await import('../pages/history/history-page.js')).HistoryPage),
  },
];
