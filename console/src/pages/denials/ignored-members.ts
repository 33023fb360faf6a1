import type { DenialFilter } from '../../generated/graphql.js';

/** Members of a filter that the counts over time ignore. */
interface Ignored {
  rule: boolean;
  integration: boolean;
}

/**
 * Returns which members of the filter the counts over time ignore. Usage is recorded by rule, by
 * integration, or by caller and operation, but not by several of these.
 */
export function ignoredMembers({ rule, integration, shadow: _shadow, ...others }: DenialFilter): Ignored {
  const hasOthers = Object.keys(others).length > 0;
  return { rule: Boolean(rule) && hasOthers, integration: Boolean(integration) && (hasOthers || Boolean(rule)) };
}
