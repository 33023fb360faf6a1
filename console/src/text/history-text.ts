import type { ChangeAction, ChangedEntity } from '../generated/graphql.js';

const ACTIONS: Record<ChangeAction, string> = {
  CREATE: 'Created',
  DELETE: 'Deleted',
  DENIED: 'Rejected',
  DISABLE: 'Blocked',
  ENABLE: 'Unblocked',
  LOGIN: 'Logged in:',
  LOGOUT: 'Logged out:',
  OVERRIDE: 'Changed custom limit of',
  RESET_QUOTA: 'Reset quota of',
  RESTORE: 'Restored',
  RETIRE: 'Retired',
  REVOKE: 'Revoked',
  ROTATE: 'Replaced',
  UPDATE: 'Updated',
};

const ENTITIES: Record<ChangedEntity, string> = {
  ACCESS: 'attempt',
  ADMIN_TOKEN: 'admin token',
  API_KEY: 'API key',
  RULE: 'rule',
  SCHEMA: 'schema',
  SESSION: 'session',
  SUBJECT: 'caller',
  TIER: 'tier',
};

/** Texts of the history, and of the lists of changes of other pages. */
export const historyText = {
  title: 'History',
  lead: 'All changes and all rejected attempts. Entries cannot be edited.',
  actor: 'Changed by',
  name: 'Rule, tier or caller',
  empty: 'No changes',
  emptyHint: 'Change the filters to see other changes.',
  action: (action: ChangeAction) => ACTIONS[action],
  change: (action: ChangeAction, entity: ChangedEntity) => `${ACTIONS[action]} ${ENTITIES[entity]}`,
} as const;
