import type { CallerParts } from '../../parts/text/caller-path.js';

const CALLER = ['user', 'apiKey', 'ip'] as const;
const NAMES = [...CALLER, 'tenant', 'rule', 'operation'] as const;

/** Conditions for the single denials of a group: its caller, its limit, and its operation. */
export type GroupFilter = { [Name in (typeof NAMES)[number]]?: string };

/**
 * Returns the parameter `group` of the address that selects the denials of one caller by one limit,
 * or of one of its operations. Undefined for callers that are counted together, because no filter
 * finds their denials.
 */
export function groupOf(caller: CallerParts, ruleName: string, operation?: string): string | undefined {
  const name = CALLER.find((one) => caller[one]);
  if (!name) return undefined;
  const group = new URLSearchParams({ [name]: caller[name] ?? '' });
  if (caller.tenant) group.set('tenant', caller.tenant);
  group.set('rule', ruleName);
  if (operation) group.set('operation', operation);
  return group.toString();
}

/** Reads the parameter. Unknown names in it are ignored. */
export function readGroup(text: string | null): GroupFilter | undefined {
  const group = new URLSearchParams(text ?? '');
  const filter: GroupFilter = {};
  for (const name of NAMES) {
    const value = group.get(name);
    if (value) filter[name] = value;
  }
  return Object.keys(filter).length > 0 ? filter : undefined;
}
