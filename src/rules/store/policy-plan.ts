import type { PolicyStep } from './planned-step.js';

export interface PolicyPlan {
  steps: PolicyStep[];
  /** Number of tiers and rules of the policy that need no change. */
  unchanged: number;
  /** The plan as human-readable text. */
  text: string;
}

/** @param total number of tiers and rules in the policy */
export function toPlan(steps: readonly PolicyStep[], total: number): PolicyPlan {
  const shown = steps.map(({ action, kind, name, differences, warnings }) => ({
    action,
    kind,
    name,
    differences,
    warnings,
  }));
  const unchanged = total - steps.filter(({ action }) => action !== 'RETIRE').length;
  return { steps: shown, unchanged, text: describePlan(shown, unchanged) };
}

const SIGNS = { CREATE: '+', UPDATE: '~', RETIRE: '-' } as const;

/** Formats a plan like a diff: one line per tier or rule, per differing member, and per warning. */
function describePlan(steps: readonly PolicyStep[], unchanged: number): string {
  const lines = steps.flatMap(({ action, kind, name, differences, warnings }) => [
    `${SIGNS[action]} ${kind} ${name}`,
    ...differences.map(({ path, before, after }) =>
      before === null ? `    ${path}: ${after}` : `    ${path}: ${before} -> ${after ?? '(none)'}`,
    ),
    ...warnings.map((warning) => `    ! ${warning}`),
  ]);
  const counts = (['CREATE', 'UPDATE', 'RETIRE'] as const).map(
    (action) => `${steps.filter((step) => step.action === action).length} to ${action.toLowerCase()}`,
  );
  return [...lines, `${counts.join(', ')}, ${unchanged} unchanged`].join('\n');
}

/** Returns the plan of a repeated request, which changes nothing. */
export function madeBefore(total: number): PolicyPlan {
  return { steps: [], unchanged: total, text: 'this request repeats an earlier one, so it changed nothing' };
}
