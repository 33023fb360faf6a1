import { differencesOf } from '../../rules/policy/difference.js';
import { fieldTextOf, patternsIn } from '../../rules/policy/field-pattern.js';
import type { ApiKeyRecord } from '../../rules/store/api-key-record.js';
import type { AdminTokenRecord } from '../../rules/store/create-admin-token-store.js';
import type { ChangeEntry } from '../../rules/store/create-change-log.js';
import type { ConsoleSessionRecord } from '../../rules/store/create-console-session-store.js';
import type { RuleRecord } from '../../rules/store/rule-record.js';
import type { SubjectRecord } from '../../rules/store/subject-record.js';
import type { TierRecord } from '../../rules/store/tier-record.js';
import { presentDifference } from '../schema/change-input.js';
import type { ChangeType } from '../schema/change-type.js';
import { toGlobalId } from '../schema/to-global-id.js';
import type { AdminTokenType } from '../types/admin-token-type.js';
import type { ApiKeyType } from '../types/api-key-type.js';
import type { ConsoleSessionType } from '../types/console-session-type.js';
import type { RuleType } from '../types/rule-type.js';
import { isKeyOfCode, serviceOfKey } from '../types/rules-in-code.js';
import type { SubjectType } from '../types/subject-type.js';
import type { TierType } from '../types/tier-type.js';
import { presentCaller } from './present-caller.js';

/** The functions below convert stored records to types of the API. */

export function presentTier(tier: TierRecord): TierType {
  return { ...tier, id: toGlobalId('Tier', tier.name), stored: tier };
}

export function presentRule(rule: RuleRecord): RuleType {
  const {
    tiers = [],
    operationTypes = [],
    operationNames = [],
    clients = [],
    addresses = [],
    ...ofCallers
  } = rule.match;
  const match = { tiers, operationTypes, operationNames, clients, addresses, ...ofCallers };
  const source = isKeyOfCode(rule.id) ? 'CODE' : 'STORED';
  const service = serviceOfKey(rule.id);
  const field = fieldTextOf(rule);
  return {
    ...rule,
    field,
    fields: patternsIn(field),
    match,
    source,
    service,
    id: toGlobalId('Rule', rule.id),
    key: rule.id,
    record: rule,
  };
}

export function presentSubject({ id, tier, user, tenant, ...subject }: SubjectRecord): SubjectType {
  return {
    ...subject,
    caller: presentCaller({ user, tenant }),
    id: toGlobalId('Subject', id),
    key: id,
    assignedTier: tier,
  };
}

export function presentApiKey({ id, ...key }: ApiKeyRecord): ApiKeyType {
  return { ...key, id: toGlobalId('ApiKey', id) };
}

export function presentAdminToken({ id, ...token }: AdminTokenRecord): AdminTokenType {
  return { ...token, id: toGlobalId('AdminToken', id) };
}

export function presentConsoleSession({ id, ...session }: ConsoleSessionRecord): ConsoleSessionType {
  return { ...session, id: toGlobalId('ConsoleSession', id) };
}

export function presentChange(change: ChangeEntry): ChangeType {
  const differences =
    change.entity === 'ACCESS' || change.entity === 'SESSION'
      ? []
      : differencesOf(change.before, change.after, NOT_COMPARED);
  return { ...change, id: toGlobalId('Change', change.number), differences: differences.map(presentDifference) };
}

const NOT_COMPARED = ['id', 'version', 'createdAt', 'updatedAt', 'hash'];

/** Converts a record; null stays null. */
export function orNull<Row, Shown>(row: Row | null, present: (row: Row) => Shown): Shown | null {
  return row === null ? null : present(row);
}
