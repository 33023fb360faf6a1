import type { RuleCreateInput, RuleLimitInput } from '../../../generated/graphql.js';

/** Members of a recorded rule that are not part of an input. */
const BOOKKEEPING = ['id', 'version', 'createdAt', 'updatedAt', 'retiredAt'];
/** Members whose values are enum values, not strings. */
const NAMES = new Set([
  'mode',
  'scope',
  'measure',
  'onUnavailable',
  'precision',
  'regionMode',
  'onEventDenied',
  'type',
  'operationTypes',
  'callers',
  'credentials',
  'document',
  'days',
  'every',
  'anchor',
]);

/** Converts a recorded version of a rule to the input of a mutation. */
export function draftOfVersion(stored: Record<string, unknown>): RuleCreateInput {
  const { limits, ...rest } = Object.fromEntries(
    Object.entries(stored).filter(([name, value]) => !BOOKKEEPING.includes(name) && value !== null),
  );
  const inputs = (limits as { algorithm: string }[]).map(({ algorithm, ...numbers }) => {
    const key = algorithm.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
    return { [key]: numbers } as unknown as RuleLimitInput;
  });
  return { ...rest, limits: inputs } as unknown as RuleCreateInput;
}

/** Returns a policy file with this rule only, for `tollgate rules plan` and `apply`. */
export function ruleAsYaml(draft: RuleCreateInput): string {
  const { limits, ...rule } = withOneField(draft);
  const named = limits.map((limit) => {
    const [key, numbers] = Object.entries(limit)[0]!;
    return { algorithm: key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase(), ...numbers };
  });
  return `${yamlOf({ rules: [{ ...rule, limits: named }] }).join('\n')}\n`;
}

/** Writes a list with one field as `field`, which is what people write. */
function withOneField({ fields, ...rest }: RuleCreateInput): RuleCreateInput {
  if (!fields) return rest;
  const { name, ...others } = rest;
  return { name, ...(fields.length === 1 ? { field: fields[0]! } : { fields }), ...others };
}

/**
 * Returns the mutation that creates this rule, ready to paste: all values are inline, without
 * variables.
 */
export function ruleAsMutation(rule: RuleCreateInput): string {
  const members = Object.entries(withOneField(rule)).map(
    ([name, value]) => `    ${name}: ${literalOf(value, NAMES.has(name))}`,
  );
  return `mutation {
  ruleCreate(input: {
${members.join('\n')}
  }) {
    rule { id version }
    warnings
    userErrors { field message }
  }
}
`;
}

/**
 * Returns lines of YAML. Strings are quoted as in JSON, because parsers of YAML 1.1 would read an
 * unquoted OFF as false.
 */
function yamlOf(value: object): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((one) => {
      const [first = '', ...rest] = isFilled(one) ? yamlOf(one) : [JSON.stringify(one)];
      return [`- ${first}`, ...rest.map((line) => `  ${line}`)];
    });
  }
  return Object.entries(value).flatMap(([name, member]) =>
    isFilled(member)
      ? [`${name}:`, ...yamlOf(member).map((line) => `  ${line}`)]
      : `${name}: ${JSON.stringify(member)}`,
  );
}

function isFilled(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function literalOf(value: unknown, isName: boolean): string {
  if (Array.isArray(value)) return `[${value.map((one) => literalOf(one, isName)).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([name, member]) => `${name}: ${literalOf(member, NAMES.has(name))}`);
    return `{ ${members.join(', ')} }`;
  }
  return isName && typeof value === 'string' ? value : JSON.stringify(value);
}
