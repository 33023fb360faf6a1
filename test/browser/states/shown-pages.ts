import type { Locator, Page } from 'playwright-core';

/** A page of the console in one state, as a test opens it. */
export interface ShownPage {
  /** Name of the page, for the test and for its pictures. */
  name: string;
  /** Path below the base of the console. */
  path: string;
}

/** A dialog that a test opens with the keyboard. */
export interface ShownDialog extends ShownPage {
  /** Returns the control that has the focus before the dialog opens. */
  opener(page: Page): Locator;
  /** Opens the dialog while that control has the focus. @default presses Enter */
  open?: (page: Page) => Promise<unknown>;
}

const button = (name: string | RegExp) => (page: Page) => page.locator('main').getByRole('button', { name }).first();

/** Pages in a database with many rows. */
export const LARGE: readonly ShownPage[] = [
  { name: 'overview', path: '?range=90d&compare=on' },
  { name: 'denials', path: 'denials?range=30d' },
  { name: 'callers', path: 'callers?range=30d' },
  { name: 'caller stored', path: 'caller?user=user-77&tenant=tenant-77' },
  { name: 'caller used', path: 'caller?user=caller-77&tenant=tenant-77' },
  { name: 'operations', path: 'operations?range=90d' },
  { name: 'operation', path: 'operations?range=90d&operation=Operation2' },
  { name: 'rules', path: 'rules' },
  { name: 'rule', path: 'rule?name=rule-7' },
  { name: 'rule-form', path: 'rule-form?name=rule-77' },
  { name: 'tiers', path: 'tiers' },
  { name: 'tier', path: 'tier?name=tier-1' },
  { name: 'tier-form', path: 'tier-form?name=tier-1' },
  { name: 'documents', path: 'documents' },
  { name: 'version', path: 'documents-of?app=app-7&version=1.7.0' },
  { name: 'fields', path: 'fields' },
  { name: 'fields costs', path: 'fields?tab=costs&range=90d' },
  { name: 'fields inaccurate', path: 'fields?tab=inaccurate&range=90d' },
  { name: 'explorer', path: 'explorer' },
  { name: 'export', path: 'export?range=90d&groupBy=CALLER,OPERATION,TIER' },
  { name: 'health', path: 'health' },
  { name: 'admin api', path: 'graphql' },
  { name: 'tokens', path: 'tokens' },
  { name: 'history', path: 'history' },
];

/** Dialogs, in a database with many rows. */
export const DIALOGS: readonly ShownDialog[] = [
  {
    name: 'dialog shortcuts',
    path: 'health',
    opener: button('Copy page queries'),
    open: (page) => page.keyboard.press('?'),
  },
  {
    name: 'dialog custom range',
    path: 'callers',
    opener: (page) => page.getByLabel('Time range'),
    open: (page) => page.getByLabel('Time range').selectOption({ label: 'Custom range…' }),
  },
  { name: 'dialog raise limit', path: 'caller?user=user-77&tenant=tenant-77', opener: button('Raise limit') },
  { name: 'dialog tier', path: 'caller?user=user-77&tenant=tenant-77', opener: button('Change tier') },
  { name: 'dialog reset', path: 'caller?user=user-77&tenant=tenant-77', opener: button('Reset quota') },
  { name: 'dialog block', path: 'caller?user=user-77&tenant=tenant-77', opener: button('Block') },
  { name: 'dialog new key', path: 'caller?user=user-77&tenant=tenant-77', opener: button('New key') },
  { name: 'dialog revoke key', path: 'caller?user=user-77&tenant=tenant-77', opener: button('Revoke') },
  { name: 'dialog retire rule', path: 'rule?name=rule-7', opener: button('Retire') },
  { name: 'dialog restore version', path: 'rule?name=rule-7', opener: button(/^Restore version/) },
  { name: 'dialog retire tier', path: 'tier?name=tier-1', opener: button('Retire') },
  { name: 'dialog retire version', path: 'documents-of?app=app-7&version=1.7.0', opener: button('Retire') },
  { name: 'dialog new token', path: 'tokens', opener: button('New token') },
  { name: 'dialog revoke token', path: 'tokens', opener: button('Revoke') },
  { name: 'dialog end session', path: 'tokens', opener: button('Log out') },
];

/** Pages in a new database, and URLs of objects that do not exist. */
export const EMPTY: readonly ShownPage[] = [
  { name: 'overview', path: '' },
  { name: 'denials', path: 'denials' },
  { name: 'callers', path: 'callers' },
  { name: 'callers filtered', path: 'callers?user=unknown' },
  { name: 'caller', path: 'caller?user=unknown' },
  { name: 'caller unnamed', path: 'caller' },
  { name: 'operations', path: 'operations' },
  { name: 'operation', path: 'operations?operation=Nothing' },
  { name: 'rules', path: 'rules' },
  { name: 'rules retired', path: 'rules?retired=true' },
  { name: 'rule', path: 'rule?name=nothing' },
  { name: 'rule unnamed', path: 'rule' },
  { name: 'rule-form', path: 'rule-form' },
  { name: 'rule-form missing', path: 'rule-form?name=nothing' },
  { name: 'tiers', path: 'tiers' },
  { name: 'tiers retired', path: 'tiers?retired=true' },
  { name: 'tier', path: 'tier?name=nothing' },
  { name: 'tier unnamed', path: 'tier' },
  { name: 'tier-form', path: 'tier-form' },
  { name: 'tier-form missing', path: 'tier-form?name=nothing' },
  { name: 'documents', path: 'documents' },
  { name: 'documents filtered', path: 'documents?name=unknown' },
  { name: 'version', path: 'documents-of?app=nothing&version=1' },
  { name: 'version unnamed', path: 'documents-of' },
  { name: 'fields', path: 'fields' },
  { name: 'fields costs', path: 'fields?tab=costs' },
  { name: 'fields inaccurate', path: 'fields?tab=inaccurate' },
  { name: 'explorer', path: 'explorer' },
  { name: 'export', path: 'export' },
  { name: 'export filtered', path: 'export?user=unknown' },
  { name: 'health', path: 'health' },
  { name: 'admin api', path: 'graphql' },
  { name: 'tokens', path: 'tokens' },
  { name: 'history', path: 'history?actor=unknown' },
  { name: 'not found', path: 'nowhere' },
];

/** Pages that wait for data, and that show an error if it does not arrive. */
export const WAITING: readonly ShownPage[] = [
  { name: 'overview', path: '' },
  { name: 'denials', path: 'denials' },
  { name: 'callers', path: 'callers' },
  { name: 'caller', path: 'caller?user=user-77&tenant=tenant-77' },
  { name: 'operations', path: 'operations' },
  { name: 'operation', path: 'operations?operation=Operation2' },
  { name: 'rules', path: 'rules' },
  { name: 'rule', path: 'rule?name=rule-7' },
  { name: 'rule-form', path: 'rule-form?name=rule-77' },
  { name: 'tiers', path: 'tiers' },
  { name: 'tier', path: 'tier?name=tier-1' },
  { name: 'tier-form', path: 'tier-form?name=tier-1' },
  { name: 'documents', path: 'documents' },
  { name: 'version', path: 'documents-of?app=app-7&version=1.7.0' },
  { name: 'fields', path: 'fields' },
  { name: 'fields costs', path: 'fields?tab=costs' },
  { name: 'fields inaccurate', path: 'fields?tab=inaccurate' },
  { name: 'explorer', path: 'explorer' },
  { name: 'export', path: 'export' },
  { name: 'health', path: 'health' },
  { name: 'admin api', path: 'graphql' },
  { name: 'tokens', path: 'tokens' },
  { name: 'history', path: 'history' },
];
