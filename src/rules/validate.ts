import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { describeProblems } from '../problems.js';
import { parseFieldPattern } from './pattern.js';
import type { Rule, Tier } from './types.js';

/** The largest capacity x refillPeriodMs: a bucket's level is kept in such units and must stay exact in a double. */
const MAX_BUCKET_UNITS = 2 ** 52;
/** The largest number of entries a sliding log may be asked to keep. */
const MAX_LOG_ENTRIES = 10_000;
const MAX_COST = 2 ** 31 - 1;

const name = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[\x20-\x7e]+$/, 'expected printable ASCII characters');
const count = z.number().int().min(1).max(MAX_COST);
const durationMs = z
  .number()
  .int()
  .min(1)
  .max(366 * 24 * 3_600_000);

const limit = z
  .strictObject({
    key: name.optional(),
    algorithm: z.enum([
      'TOKEN_BUCKET',
      'LEAKY_BUCKET',
      'FIXED_WINDOW',
      'SLIDING_WINDOW_COUNTER',
      'SLIDING_WINDOW_LOG',
      'CONCURRENCY',
    ]),
    capacity: count.optional(),
    refillAmount: count.optional(),
    refillPeriodMs: durationMs.optional(),
    amount: count.optional(),
    windowMs: durationMs.optional(),
    strict: z.boolean().optional(),
    leaseMs: durationMs.optional(),
    countDenied: z.boolean().optional(),
    maxDebt: z.number().int().min(0).max(MAX_COST).optional(),
  })
  .superRefine((value, context) => {
    const wanted = MEMBERS[value.algorithm];
    for (const member of wanted.needed) {
      if (value[member] === undefined) {
        context.addIssue({ code: 'custom', path: [member], message: `needed for ${value.algorithm}` });
      }
    }
    for (const member of ALGORITHM_MEMBERS) {
      if (value[member] !== undefined && !wanted.needed.includes(member) && !wanted.allowed?.includes(member)) {
        context.addIssue({
          code: 'custom',
          path: [member],
          message: `means nothing for ${value.algorithm}: remove it`,
        });
      }
    }
    checkBucketUnits(value, context);
    if (value.algorithm === 'SLIDING_WINDOW_LOG' && (value.amount ?? 0) > MAX_LOG_ENTRIES) {
      context.addIssue({
        code: 'custom',
        path: ['amount'],
        message: `a sliding log keeps one entry per charge: expected at most ${MAX_LOG_ENTRIES}, got ${value.amount}`,
      });
    }
  });

const ALGORITHM_MEMBERS = [
  'capacity',
  'refillAmount',
  'refillPeriodMs',
  'amount',
  'windowMs',
  'strict',
  'leaseMs',
  'maxDebt',
] as const;
type AlgorithmMember = (typeof ALGORITHM_MEMBERS)[number];

const MEMBERS: Record<Rule['limits'][number]['algorithm'], { needed: AlgorithmMember[]; allowed?: AlgorithmMember[] }> =
  {
    TOKEN_BUCKET: { needed: ['capacity', 'refillAmount', 'refillPeriodMs'], allowed: ['maxDebt'] },
    LEAKY_BUCKET: { needed: ['capacity', 'refillAmount', 'refillPeriodMs'], allowed: ['maxDebt'] },
    FIXED_WINDOW: { needed: ['amount', 'windowMs'] },
    SLIDING_WINDOW_COUNTER: { needed: ['amount', 'windowMs'], allowed: ['strict'] },
    SLIDING_WINDOW_LOG: { needed: ['amount', 'windowMs'] },
    CONCURRENCY: { needed: ['capacity', 'leaseMs'] },
  };

function checkBucketUnits(
  value: { capacity?: number | undefined; refillPeriodMs?: number | undefined },
  context: z.RefinementCtx,
): void {
  if ((value.capacity ?? 0) * (value.refillPeriodMs ?? 0) <= MAX_BUCKET_UNITS) return;
  context.addIssue({
    code: 'custom',
    path: ['capacity'],
    message: 'capacity x refillPeriodMs: expected at most 2^52, so that the level stays exact; shorten the period',
  });
}

const addressBlock = z.string().refine((text) => ipaddr.isValidCIDR(text) || ipaddr.isValid(text), {
  message: 'expected an address or a CIDR block, such as 10.0.0.0/8',
});

/** A rule as it is written: what is left out has a default. */
export const ruleInput = z
  .strictObject({
    id: name.optional(),
    name,
    description: z.string().max(1000).optional(),
    mode: z.enum(['OFF', 'SHADOW', 'ENFORCE']).default('ENFORCE'),
    rolloutPercent: z.number().min(0).max(100).default(100),
    priority: z.number().int().min(0).max(1_000_000).default(100),
    match: z
      .strictObject({
        tiers: z.array(name).optional(),
        operationTypes: z.array(z.enum(['QUERY', 'MUTATION', 'SUBSCRIPTION'])).optional(),
        operationNames: z.array(z.string().min(1)).optional(),
        clients: z.array(z.string().min(1)).optional(),
        addresses: z.array(addressBlock).optional(),
      })
      .default({}),
    scope: z.enum(['GLOBAL', 'TENANT', 'USER', 'API_KEY', 'IP']),
    field: z.string().refine((text) => parseFieldPattern(text) !== undefined, {
      message: 'expected "Type.field", "Type.*" or "*"',
    }),
    measure: z.enum(['COST', 'CALLS', 'REQUESTS']).default('COST'),
    limits: z.array(limit).max(8),
    action: z
      .discriminatedUnion('type', [
        z.strictObject({ type: z.literal('REJECT') }),
        z.strictObject({ type: z.literal('THROTTLE'), maxDelayMs: z.number().int().min(1).max(60_000) }),
        z.strictObject({ type: z.literal('EXEMPT') }),
      ])
      .default({ type: 'REJECT' }),
    onUnavailable: z.enum(['LOCAL', 'OPEN', 'CLOSED']).default('LOCAL'),
    response: z
      .strictObject({
        code: z
          .string()
          .regex(/^[A-Z][A-Z0-9_]*$/, 'expected an upper-case code, such as SEARCH_LIMITED')
          .optional(),
        message: z.string().min(1).max(500).optional(),
        status: z.number().int().min(200).max(599).optional(),
      })
      .optional(),
  })
  .superRefine((rule, context) => {
    if (rule.action.type !== 'EXEMPT' && rule.limits.length === 0) {
      context.addIssue({ code: 'custom', path: ['limits'], message: 'expected at least one limit' });
    }
    const seen = new Set<string>();
    rule.limits.forEach((one, index) => {
      const identity = [one.algorithm, one.windowMs ?? 'bucket', one.key ?? ''].join(' ');
      if (seen.has(identity)) {
        context.addIssue({
          code: 'custom',
          path: ['limits', index, 'key'],
          message: 'two limits with the same algorithm and window share a counter: give one of them a key',
        });
      }
      seen.add(identity);
    });
  });

/** A tier as it is written. */
export const tierInput = z
  .strictObject({
    name,
    displayName: z.string().min(1).max(200).optional(),
    capacity: count,
    refillAmount: count,
    refillPeriodMs: durationMs.default(1000),
    maxCostPerOperation: count.nullable().default(null),
    isDefault: z.boolean().default(false),
  })
  .superRefine(checkBucketUnits);

export type RuleInput = z.input<typeof ruleInput>;
export type TierInput = z.input<typeof tierInput>;

/** Tiers and rules that were read without a problem, or every problem there is, each with its place. */
export type PolicyResult = { tiers: Tier[]; rules: Rule[]; problems?: never } | { problems: string[] };

/** Checks a whole policy: every tier, every rule, and what only shows when they stand side by side. */
export function parsePolicy({ tiers, rules }: { tiers: readonly unknown[]; rules: readonly unknown[] }): PolicyResult {
  const problems: string[] = [];
  const parsedTiers: Tier[] = [];
  const parsedRules: Rule[] = [];
  for (const [index, input] of tiers.entries()) {
    const result = tierInput.safeParse(input);
    if (result.success) {
      const { displayName = result.data.name, ...tier } = result.data;
      parsedTiers.push({ ...tier, displayName, version: 1 });
    } else problems.push(...describeProblems(placeOf('tiers', index, input), input, result.error));
  }
  for (const [index, input] of rules.entries()) {
    const result = ruleInput.safeParse(input);
    if (result.success) {
      parsedRules.push(withoutUndefined({ ...result.data, id: result.data.id ?? result.data.name }) as Rule);
    } else problems.push(...describeProblems(placeOf('rules', index, input), input, result.error));
  }
  problems.push(
    ...duplicates(
      'tiers',
      parsedTiers.map((tier) => tier.name),
    ),
  );
  problems.push(
    ...duplicates(
      'rules',
      parsedRules.map((rule) => rule.name),
    ),
  );
  const defaults = parsedTiers.filter((tier) => tier.isDefault).length;
  if (tiers.length > 0 && defaults !== 1 && problems.length === 0) {
    problems.push(`tiers: expected exactly one with isDefault: true, got ${defaults}`);
  }
  const known = new Set(parsedTiers.map((tier) => tier.name));
  for (const rule of parsedRules) {
    for (const tier of rule.match.tiers ?? []) {
      if (!known.has(tier)) problems.push(`rule "${rule.name}": match.tiers: there is no tier "${tier}"`);
    }
  }
  return problems.length > 0 ? { problems } : { tiers: parsedTiers, rules: parsedRules };
}

function placeOf(list: string, index: number, input: unknown): string {
  const named = typeof input === 'object' && input !== null && 'name' in input;
  return `${list}[${index}]${named ? ` ("${String(input.name)}")` : ''}`;
}

function duplicates(place: string, names: string[]): string[] {
  const repeated = new Set(names.filter((one, index) => names.indexOf(one) !== index));
  return [...repeated].map((one) => `${place}: the name "${one}" is used more than once`);
}

/** exactOptionalPropertyTypes: a member that was not given is absent, not undefined. */
function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([key, member]) => [key, withoutUndefined(member)]),
  );
}
