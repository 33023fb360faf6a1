import { ADMIN_ROLES, type AdminRole } from '../rules/store/admin-tokens.js';

/**
 * The least role that each operation of the admin API asks for: viewers look, operators run the day (callers, their keys,
 * modes of rules), admins decide on tiers, rules and administrators. An operation that is not listed is denied to
 * everybody.
 */
export const REQUIRED_ROLES: ReadonlyMap<string, AdminRole> = new Map(
  Object.entries({
    node: 'VIEWER',
    tiers: 'VIEWER',
    tier: 'VIEWER',
    rules: 'VIEWER',
    rule: 'VIEWER',
    subjects: 'VIEWER',
    subject: 'VIEWER',
    quota: 'VIEWER',
    changes: 'VIEWER',
    adminTokens: 'ADMIN',
    costExplain: 'VIEWER',
    chargePreview: 'VIEWER',
    health: 'VIEWER',
    usage: 'VIEWER',
    topConsumers: 'VIEWER',
    topTenants: 'VIEWER',
    topOperations: 'VIEWER',
    topFields: 'VIEWER',
    denials: 'VIEWER',
    violations: 'VIEWER',
    operationAccuracy: 'VIEWER',
    fieldAccuracy: 'VIEWER',
    ruleSimulate: 'VIEWER',
    liveTraffic: 'VIEWER',
    tierCreate: 'ADMIN',
    tierUpdate: 'ADMIN',
    tierRetire: 'ADMIN',
    ruleCreate: 'ADMIN',
    ruleUpdate: 'ADMIN',
    ruleSetMode: 'OPERATOR',
    ruleRetire: 'ADMIN',
    ruleRestore: 'ADMIN',
    subjectAssignTier: 'OPERATOR',
    subjectSetOverride: 'OPERATOR',
    subjectResetQuota: 'OPERATOR',
    subjectDisable: 'OPERATOR',
    apiKeyCreate: 'OPERATOR',
    apiKeyRotate: 'OPERATOR',
    apiKeyRevoke: 'OPERATOR',
    adminTokenCreate: 'ADMIN',
    adminTokenRevoke: 'ADMIN',
    policySync: 'ADMIN',
  } satisfies Record<string, AdminRole>),
);

export function mayDo(role: AdminRole, operation: string): boolean {
  const required = REQUIRED_ROLES.get(operation);
  return required !== undefined && ADMIN_ROLES.indexOf(role) >= ADMIN_ROLES.indexOf(required);
}
