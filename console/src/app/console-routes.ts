import { type ComponentType, lazy } from 'react';
import type { AdminRole } from '../generated/graphql.js';
import type { IconName } from '../parts/text/icon.js';
import { mayDo } from './login/session-context.js';

export interface Route {
  /** Below the base of the console. */
  path: string;
  title: string;
  page: ComponentType;
  /** Where it stands in the navigation; left out: it is reached from another page. */
  nav?: { group: 'Watch' | 'Decide' | 'Platform'; icon: IconName; key?: string };
  /** The page of the navigation that this one belongs to. */
  below?: string;
  /** The role without which all of the page would be refused. @default VIEWER */
  needs?: AdminRole;
}

/** The pages that are not refused to a role. */
export function routesFor(role: AdminRole): readonly Route[] {
  return ROUTES.filter(({ needs = 'VIEWER' }) => mayDo(role, needs));
}

/** Every page, each in a chunk of its own that is loaded when it is first asked for. */
export const ROUTES: readonly Route[] = [
  {
    path: '/',
    title: 'Overview',
    nav: { group: 'Watch', icon: 'overview', key: 'o' },
    page: lazy(async () => ({ default: (await import('../pages/overview/overview-page.js')).OverviewPage })),
  },
  {
    path: '/denials',
    title: 'Denials',
    nav: { group: 'Watch', icon: 'denied', key: 'd' },
    page: lazy(async () => ({ default: (await import('../pages/denials/denials-page.js')).DenialsPage })),
  },
  {
    path: '/callers',
    title: 'Callers',
    nav: { group: 'Watch', icon: 'callers', key: 'c' },
    page: lazy(async () => ({ default: (await import('../pages/callers/callers-page.js')).CallersPage })),
  },
  {
    path: '/caller',
    title: 'Caller',
    below: '/callers',
    page: lazy(async () => ({ default: (await import('../pages/callers/caller-page.js')).CallerPage })),
  },
  {
    path: '/operations',
    title: 'Operations',
    nav: { group: 'Watch', icon: 'operations', key: 'p' },
    page: lazy(async () => ({ default: (await import('../pages/operations/operations-page.js')).OperationsPage })),
  },
  {
    path: '/rules',
    title: 'Rules',
    nav: { group: 'Decide', icon: 'rules', key: 'r' },
    page: lazy(async () => ({ default: (await import('../pages/rules/rules-page.js')).RulesPage })),
  },
  {
    path: '/rule',
    title: 'Rule',
    below: '/rules',
    page: lazy(async () => ({ default: (await import('../pages/rules/rule-page.js')).RulePage })),
  },
  {
    path: '/rule-form',
    title: 'Write a rule',
    below: '/rules',
    page: lazy(async () => ({ default: (await import('../pages/rules/form/rule-form-page.js')).RuleFormPage })),
  },
  {
    path: '/tiers',
    title: 'Tiers',
    nav: { group: 'Decide', icon: 'tiers', key: 't' },
    page: lazy(async () => ({ default: (await import('../pages/tiers/tiers-page.js')).TiersPage })),
  },
  {
    path: '/tier',
    title: 'Tier',
    below: '/tiers',
    page: lazy(async () => ({ default: (await import('../pages/tiers/tier-page.js')).TierPage })),
  },
  {
    path: '/tier-form',
    title: 'Write a tier',
    below: '/tiers',
    page: lazy(async () => ({ default: (await import('../pages/tiers/tier-form-page.js')).TierFormPage })),
  },
  {
    path: '/fields',
    title: 'Fields',
    nav: { group: 'Decide', icon: 'fields', key: 'f' },
    page: lazy(async () => ({ default: (await import('../pages/fields/fields-page.js')).FieldsPage })),
  },
  {
    path: '/explorer',
    title: 'Explorer',
    nav: { group: 'Decide', icon: 'explorer', key: 'e' },
    page: lazy(async () => ({ default: (await import('../pages/explorer/explorer-page.js')).ExplorerPage })),
  },
  {
    path: '/export',
    title: 'Export',
    nav: { group: 'Platform', icon: 'export', key: 'x' },
    page: lazy(async () => ({ default: (await import('../pages/export/export-page.js')).ExportPage })),
  },
  {
    path: '/health',
    title: 'Health',
    nav: { group: 'Platform', icon: 'health', key: 's' },
    page: lazy(async () => ({ default: (await import('../pages/health/health-page.js')).HealthPage })),
  },
  {
    path: '/tokens',
    title: 'Admin tokens',
    nav: { group: 'Platform', icon: 'tokens', key: 'k' },
    needs: 'ADMIN',
    page: lazy(async () => ({ default: (await import('../pages/tokens/tokens-page.js')).TokensPage })),
  },
  {
    path: '/history',
    title: 'History',
    nav: { group: 'Platform', icon: 'history', key: 'h' },
    page: lazy(async () => ({ default: (await import('../pages/history/history-page.js')).HistoryPage })),
  },
];

export const GROUPS = ['Watch', 'Decide', 'Platform'] as const;
