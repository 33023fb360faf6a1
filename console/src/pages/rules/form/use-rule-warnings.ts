import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { askAdmin } from '../../../api/ask-admin.js';
import {
  CreateRuleDocument,
  type RuleCreateInput,
  type RuleUpdateInput,
  UpdateRuleDocument,
} from '../../../generated/graphql.js';

/** Time without a change of the draft before it is checked, in milliseconds. */
const PAUSE_MS = 400;

/**
 * Returns the warnings that a dry run of the input reports. It runs while the form is filled in,
 * after each pause. An incomplete input has no warnings.
 */
export function useRuleWarnings(input: RuleCreateInput | RuleUpdateInput): readonly string[] {
  // An empty number is NaN, which JSON has as null.
  const current = JSON.stringify(input, (_name, value: unknown) => (Number.isNaN(value) ? INCOMPLETE : value));
  const [settled, setSettled] = useState(current);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(current), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [current]);
  const isComplete = !settled.includes(INCOMPLETE) && !/"(?:name|newName|field)":" *"/.test(settled);
  const { data } = useQuery({
    queryKey: ['rule-warnings', settled],
    queryFn: ({ signal }) => warningsOf(JSON.parse(settled) as RuleCreateInput | RuleUpdateInput, signal),
    placeholderData: (before) => before,
    enabled: isComplete,
    gcTime: 0,
  });
  return isComplete ? (data ?? []) : [];
}

const INCOMPLETE = '(incomplete)';

async function warningsOf(input: RuleCreateInput | RuleUpdateInput, signal: AbortSignal): Promise<readonly string[]> {
  if ('id' in input) {
    const { ruleUpdate } = await askAdmin(UpdateRuleDocument, { input: { ...input, dryRun: true } }, signal);
    return ruleUpdate?.warnings ?? [];
  }
  const draft = { ...(input as RuleCreateInput), dryRun: true };
  return (await askAdmin(CreateRuleDocument, { input: draft }, signal)).ruleCreate?.warnings ?? [];
}
