import type { Rule, RuleLimit } from '../../model/rule.js';
import { featuresOfRule } from '../policy/features.js';
import { fieldTextOf } from '../policy/field-pattern.js';

/** Returns the values of a rule's columns, by the name of the column. */
export function toRuleColumns(rule: Omit<Rule, 'id'>): object {
  const { match, response } = rule;
  return {
    name: rule.name,
    description: rule.description ?? null,
    mode: rule.mode,
    rollout_percent: rule.rolloutPercent,
    priority: rule.priority,
    match_operation_types: match.operationTypes ?? [],
    match_operation_names: match.operationNames ?? [],
    match_clients: match.clients ?? [],
    match_addresses: match.addresses ?? [],
    match_callers: match.callers ?? null,
    match_credentials: match.credentials ?? [],
    match_users: match.users ?? [],
    match_tenants: match.tenants ?? [],
    match_keys: match.keys ?? [],
    match_agents: match.agents ?? false,
    match_document: match.document ?? null,
    match_apps: match.apps ?? [],
    match_app_versions: match.appVersions ?? [],
    scope: rule.scope,
    field: fieldTextOf(rule),
    measure: rule.measure,
    action: rule.action.type,
    max_delay_ms: rule.action.type === 'THROTTLE' ? rule.action.maxDelayMs : null,
    on_unavailable: rule.onUnavailable,
    response_code: response?.code ?? null,
    response_message: response?.message ?? null,
    response_status: response?.status ?? null,
    precision: rule.precision,
    region_mode: rule.regionMode,
    on_event_denied: rule.onEventDenied,
    needs: featuresOfRule(rule),
    schedule: rule.schedule ?? null,
    active_from: rule.activeFrom ?? null,
    active_until: rule.activeUntil ?? null,
  };
}

/** Returns the members that the column `calendar` contains, or null for another algorithm. */
export function calendarOf({
  algorithm,
  every,
  timeZone,
  anchorDay,
  anchorTime,
  anchor,
  hardCap,
  carryOver,
}: RuleLimit) {
  if (algorithm !== 'CALENDAR_WINDOW') return null;
  return { every, timeZone, anchorDay, anchorTime, anchor, hardCap, carryOver };
}
