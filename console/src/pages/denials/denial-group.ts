import type { CallerParts } from '../../parts/text/caller-path.js';

const CALLER = ['user', 'apiKey', 'ip'] as const;
const NAMES = [...CALLER, 'tenant', 'rule', 'operation'] as const;

/** Conditions for the single denials of a group: its caller, its limit, and its operation. */
export type GroupFilter = { [Name in (typeof NAMES)[number]]?: string };

/**
 * Returns the parameter `group` of the URL that selects the denials of one caller by one limit, or
 * of one of its operations. Undefined for callers that are counted together, because no filter
 * finds their denials.
 */
export function groupOf(caller: CallerParts, ruleName: string, operation?: string): string | undefined {
  const name = CALLER.find((one) => caller[one]);
  if (!name) return undefined;
  const group: GroupFilter = { [name]: caller[name] ?? '' };
  if (caller.tenant) group.tenant = caller.tenant;
  group.rule = ruleName;
  if (operation) group.operation = operation;
  // The router decodes the URL twice. Without a percent sign, the second decoding has no effect.
  return JSON.stringify(group).replaceAll('%', '\\u0025');
}

/** Reads the parameter. Unknown members and values that are not strings are ignored. */
export function readGroup(text: string | null): GroupFilter | undefined {
  const group = parsed(text);
  const filter: GroupFilter = {};
  for (const name of NAMES) {
    const value = group[name];
    if (typeof value === 'string' && value !== '') filter[name] = value;
  }
  return Object.keys(filter).length > 0 ? filter : undefined;
}

function parsed(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
