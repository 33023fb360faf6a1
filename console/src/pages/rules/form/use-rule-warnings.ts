import { useQuery } from '@tanstack/react-query';
import { askAdmin } from '../../../api/ask-admin.js';
import {
  CreateRuleDocument,
  type RuleCreateInput,
  type RuleUpdateInput,
  UpdateRuleDocument,
} from '../../../generated/graphql.js';
import { useSettled } from '../../../parts/form/use-settled.js';

/**
 * Returns the warnings that a dry run of the input reports. The dry run is sent after each pause in
 * typing. An incomplete input has no warnings.
 */
export function useRuleWarnings(input: RuleCreateInput | RuleUpdateInput): readonly string[] {
  const settled = useSettled(completeText(input));
  const isComplete = settled !== '';
  const { data } = useQuery({
    queryKey: ['rule-warnings', settled],
    queryFn: ({ signal }) => warningsOf(JSON.parse(settled) as RuleCreateInput | RuleUpdateInput, signal),
    placeholderData: (before) => before,
    enabled: isComplete,
    gcTime: 0,
  });
  return isComplete ? (data ?? []) : [];
}

const REQUIRED = new Set(['name', 'newName', 'fields']);

/** Returns the input as JSON, or an empty text if a name, the fields or a number is missing. */
function completeText(input: RuleCreateInput | RuleUpdateInput): string {
  let isComplete = true;
  const text = JSON.stringify(input, (name, value: unknown) => {
    // An empty number is NaN, which JSON cannot represent.
    const isEmpty = Array.isArray(value) ? value.length === 0 : typeof value === 'string' && value.trim() === '';
    const isMissing = (REQUIRED.has(name) && isEmpty) || Number.isNaN(value);
    if (isMissing) isComplete = false;
    return value;
  });
  return isComplete ? text : '';
}

async function warningsOf(input: RuleCreateInput | RuleUpdateInput, signal: AbortSignal): Promise<readonly string[]> {
  if ('id' in input) {
    const { ruleUpdate } = await askAdmin(UpdateRuleDocument, { input: { ...input, dryRun: true } }, signal);
    return ruleUpdate?.warnings ?? [];
  }
  const draft = { ...(input as RuleCreateInput), dryRun: true };
  return (await askAdmin(CreateRuleDocument, { input: draft }, signal)).ruleCreate?.warnings ?? [];
}
