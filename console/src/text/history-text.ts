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
  END_STREAMS: 'Ended subscriptions of',
  RESET_QUOTA: 'Reset quota of',
  RESTORE: 'Restored',
  RETIRE: 'Retired',
  REVOKE: 'Revoked',
  ROTATE: 'Replaced',
  UPDATE: 'Updated',
};

/** Verbs of sentences about a change, between the actor and the object. */
const VERBS: Record<ChangeAction, string> = {
  CREATE: 'created the',
  DELETE: 'deleted the',
  DENIED: 'was not allowed the',
  DISABLE: 'blocked the',
  ENABLE: 'unblocked the',
  LOGIN: 'logged in with the',
  LOGOUT: 'logged out of the',
  OVERRIDE: 'changed the custom limit of the',
  END_STREAMS: 'ended subscriptions of the',
  RESET_QUOTA: 'reset the quota of the',
  RESTORE: 'restored the',
  RETIRE: 'retired the',
  REVOKE: 'revoked the',
  ROTATE: 'replaced the',
  UPDATE: 'changed the',
};

const ENTITIES: Record<ChangedEntity, string> = {
  ACCESS: 'operation',
  ADMIN_TOKEN: 'admin token',
  API_KEY: 'API key',
  DOCUMENTS: 'documents of',
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
  verb: (action: ChangeAction, entity: ChangedEntity) => `${VERBS[action]} ${ENTITIES[entity]}`,
  /** Words of one difference, such as `priority from 100 to 10`. */
  difference: (path: string, before: string, after: string) => `${path} from ${before} to ${after}`,
  moreDifferences: (count: number) => `${count} more`,
} as const;
