import { z } from 'zod';
import { describeProblems, show } from '../../model/describe-problems.js';
import { parseYaml } from '../../runtime/packages/parse-yaml.js';
import { type RuleInput, ruleInput } from './rule-input.js';
import { type TierInput, tierInput } from './tier-input.js';
import { membersOf } from './validators.js';

/** Tiers and rules of a file, before each of them is checked. */
export interface PolicyDocument {
  tiers: TierInput[];
  rules: RuleInput[];
}

type PolicyDocumentResult = { document: PolicyDocument; problems?: never } | { problems: string[] };

/** Maximum length of a document, in UTF-16 units. */
const MAX_LENGTH = 5_000_000;

const outline = membersOf({
  tiers: z.array(z.looseObject({})).default([]),
  rules: z
    .array(z.looseObject({ id: z.never('a document identifies rules by name: remove the id').optional() }))
    .default([]),
});

/** Maximum number of mistakes that are listed at once. */
const MAX_PROBLEMS = 100;

/**
 * Reads the outline of a policy from YAML (or JSON, which is YAML), or returns the mistakes in the
 * text.
 */
export async function parsePolicyDocument(text: string): Promise<PolicyDocumentResult> {
  if (text.length > MAX_LENGTH) return { problems: [`expected at most ${MAX_LENGTH} characters, got ${text.length}`] };
  let value = parsePlainJson(text);
  if (value === undefined) {
    const { document: yaml, problems: found } = await parseYaml(text, 'A policy document');
    const problems = found.slice(0, MAX_PROBLEMS).map(({ message }) => message);
    if (problems.length > 0) return { problems };
    try {
      // Aliases are not allowed: with them, a short text could expand to a huge document.
      value = yaml.toJS({ maxAliasCount: 0 }) as unknown;
    } catch {
      return { problems: ['aliases (*name) are not supported: repeat the value'] };
    }
  }
  // An empty text is most likely a file whose generation failed. An empty policy is written as {}.
  if (value === null) return { problems: ['expected `tiers` and `rules`, got an empty document'] };
  if (typeof value !== 'object' || Array.isArray(value)) {
    return { problems: [`expected \`tiers\` and \`rules\`, got ${show(value)}`] };
  }
  const { success, data, error } = outline.safeParse(value);
  if (!success)
    return { problems: describeProblems('', value, error).map((problem) => problem.replace(/^(\.|: )/, '')) };
  return { document: data as unknown as PolicyDocument };
}

/**
 * Parses JSON in a hundredth of the time that the YAML parser takes. Returns undefined for any
 * other text and for repeated keys: the YAML parser reports where the mistake is.
 */
function parsePlainJson(text: string): unknown {
  if (!/^\s*\{/.test(text) || text.includes('__proto__')) return undefined;
  try {
    const value = JSON.parse(text) as unknown;
    return countKeys(value) === countWrittenKeys(text) ? value : undefined;
  } catch {
    return undefined;
  }
}

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members: unknown[] = Array.isArray(value) ? value : Object.values(value);
  return members.reduce<number>((sum, member) => sum + countKeys(member), Array.isArray(value) ? 0 : members.length);
}

/** Counts the keys in a JSON text: outside of strings, a colon follows each key. */
function countWrittenKeys(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === ':') count++;
    if (text[at] !== '"') continue;
    for (at++; text[at] !== '"' && at < text.length; at++) if (text[at] === '\\') at++;
  }
  return count;
}

/**
 * Returns the JSON Schema of a policy document, for editors. Conditions that it cannot express are
 * checked when the document is read.
 */
export function policyJsonSchema(): object {
  const described = z.strictObject({
    tiers: z.array(tierInput).optional().meta({ description: 'The tiers and their buckets; one has isDefault: true.' }),
    rules: z
      .array(
        z
          .strictObject(ruleInput.shape)
          .omit({ id: true })
          .meta({ anyOf: ['field', 'fields'].map((name) => ({ required: [name] })) }),
      )
      .optional()
      .meta({ description: 'The limits in addition to the buckets of the tiers.' }),
  });
  return {
    title: 'Tollgate policy',
    description: 'Tiers and rules, for `tollgate rules plan | apply FILE`.',
    ...z.toJSONSchema(described, { io: 'input', unrepresentable: 'any', target: 'draft-2020-12' }),
  };
}
