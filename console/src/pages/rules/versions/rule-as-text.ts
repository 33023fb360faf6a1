import type { RuleCreateInput, RuleLimitInput } from '../../../generated/graphql.js';

/** What stands beside a rule in the record of changes. */
const BOOKKEEPING = ['id', 'version', 'createdAt', 'updatedAt', 'retiredAt'];
/** Members whose values are names of the schema, not texts. */
const NAMES = new Set(['mode', 'scope', 'measure', 'onUnavailable', 'precision', 'type', 'operationTypes']);

/** A rule of the record of changes, in the form in which the administration takes one. */
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

/** The policy file that `tollgate rules plan` and `apply` read, with this rule alone. */
export function ruleAsYaml({ limits, ...rule }: RuleCreateInput): string {
  const named = limits.map((limit) => {
    const [key, numbers] = Object.entries(limit)[0]!;
    return { algorithm: key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase(), ...numbers };
  });
  return `${yamlOf({ rules: [{ ...rule, limits: named }] }).join('\n')}\n`;
}

/** The mutation that makes this rule, ready to be pasted: nothing of it stands in variables. */
export function ruleAsMutation(rule: RuleCreateInput): string {
  const members = Object.entries(rule).map(([name, value]) => `    ${name}: ${literalOf(value, NAMES.has(name))}`);
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

/** Lines of YAML. Texts are written as in JSON: unquoted, readers of YAML 1.1 would take OFF for false. */
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
