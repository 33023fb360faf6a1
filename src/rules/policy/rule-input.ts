import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { show } from '../../model/describe-problems.js';
import {
  ALGORITHMS,
  MAX_COST,
  MAX_COUNT,
  MAX_LOG_AMOUNT,
  MAX_SLOT_QUEUE_MS,
  MAX_SLOTS,
  MAX_UNITS,
  MAX_WAITING_OPERATIONS,
  PARAMETERS,
  PRECISIONS,
} from '../../model/limit-parameters.js';
import { REGION_MODES } from '../../model/region-mode.js';
import { DOCUMENT_KINDS, EVENT_POLICIES, MEASURES, type Measure } from '../../model/rule.js';
import {
  CALLER_KINDS,
  CREDENTIAL_KINDS,
  SCOPES,
  type Scope,
  sharedByAll,
  sharesBillingAnchor,
} from '../../model/subject.js';
import { isWholeNumber } from '../../options/is-whole-number.js';
import { calendarMembers, checkCalendar } from './calendar-members.js';
import { parseFieldPattern } from './field-pattern.js';
import { ruleTimesInput } from './rule-times-input.js';
import { checkBucketUnits, tierName } from './tier-input.js';
import {
  flag,
  listOf,
  matching,
  membersOf,
  nonEmptyListOf,
  number,
  oneOf,
  onlyTrue,
  satisfying,
  text,
  wholeNumber,
} from './validators.js';

const MAX_LIMITS_PER_RULE = 8;
const MAX_LIST = 1000;
const MAX_FIELDS = 50;

/** Names of users, tenants, keys, apps or versions. Stored ids have at most 512 bytes. */
const names = nonEmptyListOf(text(1, 512), MAX_LIST).optional();

const amount = wholeNumber(1, MAX_COST);
/**
 * Amount of a window. Only a calendar window may have an amount above `MAX_COST`, which `limitInput`
 * checks.
 */
const amountOfWindow = z
  .custom<number>((value) => isWholeNumber(value, 1, MAX_COUNT), {
    error: ({ input }) =>
      `expected a whole number from 1 to ${isWholeNumber(input, 1, Number.MAX_VALUE) ? MAX_COUNT : MAX_COST}, got ${show(input)}`,
    abort: true,
  })
  .meta({ type: 'integer', minimum: 1, maximum: MAX_COUNT });
const durationMs = wholeNumber(1, MAX_COUNT);

const limitInput = membersOf({
  key: matching(/^[A-Za-z0-9_.-]{1,64}$/, 'a key of 1 to 64 letters, digits and _ . -').optional(),
  algorithm: oneOf(ALGORITHMS),
  capacity: amount.optional(),
  refillAmount: amount.optional(),
  refillPeriodMs: durationMs.optional(),
  amount: amountOfWindow.optional(),
  windowMs: durationMs.optional(),
  strict: flag().optional(),
  leaseMs: durationMs.optional(),
  maxWaitMs: wholeNumber(1, MAX_SLOT_QUEUE_MS).optional(),
  maxQueue: wholeNumber(1, MAX_WAITING_OPERATIONS).optional(),
  perConnection: flag().optional(),
  countDenied: flag().optional(),
  maxDebt: wholeNumber(0, MAX_COST).optional(),
  ...calendarMembers,
}).superRefine((limit, context) => {
  const issue = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
  const { needed, allowed } = PARAMETERS[limit.algorithm];
  for (const member of needed) {
    if (limit[member as keyof typeof limit] === undefined) issue(member, `required for ${limit.algorithm}`);
  }
  if (limit.algorithm === 'CALENDAR_WINDOW' && limit.amount !== undefined && limit.every !== undefined) {
    checkCalendar(limit, context);
  }
  for (const member of ALGORITHM_MEMBERS) {
    if (limit[member] === undefined || needed.includes(member) || allowed.includes(member)) continue;
    issue(member, `has no effect on ${limit.algorithm}: remove it`);
  }
  checkBucketUnits(limit, context);
  const { capacity = 0, amount = 0, windowMs = 0 } = limit;
  if (limit.algorithm !== 'CALENDAR_WINDOW' && amount > MAX_COST) {
    issue('amount', `expected a whole number from 1 to ${MAX_COST}, got ${amount}`);
  }
  if (limit.algorithm === 'SLIDING_WINDOW_LOG' && amount > MAX_LOG_AMOUNT) {
    issue(
      'amount',
      `a log stores every charge: expected at most ${MAX_LOG_AMOUNT}, got ${amount}; or use SLIDING_WINDOW_COUNTER`,
    );
  }
  if (limit.algorithm === 'CONCURRENCY' && capacity > MAX_SLOTS) {
    issue('capacity', `expected at most ${MAX_SLOTS} operations at a time, got ${capacity}`);
  }
  if (limit.algorithm === 'CONCURRENCY' && limit.maxQueue !== undefined && limit.maxWaitMs === undefined) {
    issue('maxQueue', 'has no effect without maxWaitMs: add maxWaitMs, or remove maxQueue');
  }
  if (limit.algorithm === 'SLIDING_WINDOW_COUNTER' && !limit.strict && amount * windowMs > MAX_UNITS) {
    issue('amount', 'amount x windowMs: expected at most 2^52; use FIXED_WINDOW, strict, or a bucket');
  }
});

const CALENDAR_MEMBERS = Object.keys(calendarMembers) as (keyof typeof calendarMembers)[];

const ALGORITHM_MEMBERS = [
  'capacity',
  'refillAmount',
  'refillPeriodMs',
  'amount',
  'windowMs',
  'strict',
  'leaseMs',
  'maxWaitMs',
  'maxQueue',
  'maxDebt',
  ...CALENDAR_MEMBERS,
] as const;

/**
 * Returns whether a text is an address or block that PostgreSQL accepts as inet, without unusual
 * notations such as octal numbers.
 */
function isAddressBlock(block: string): boolean {
  const [address = '', bits, ...rest] = block.split('/');
  if (rest.length > 0 || address.includes('%')) return false;
  const width = ipaddr.IPv4.isValidFourPartDecimal(address) ? 32 : ipaddr.IPv6.isValid(address) ? 128 : -1;
  return width > 0 && (bits === undefined || (/^(0|[1-9]\d{0,2})$/.test(bits) && Number(bits) <= width));
}

/**
 * Names that responses and metrics use for limits that are not rules: those of tiers (`tier:NAME`),
 * of API keys (`key:budget`) and of introspection, and the maximum number of limits.
 */
const RESERVED = /^(?:tier:|key:|introspection$|limits-per-operation$)/;

const ruleName = satisfying(
  (name) => /^[\x20-\x7e]{1,100}$/.test(name) && !RESERVED.test(name),
  'a name of 1 to 100 printable ASCII characters that does not begin with "tier:" or "key:", and is not "introspection" or "limits-per-operation"',
);

const fieldPattern = satisfying(
  (field) => field.length <= 256 && parseFieldPattern(field) !== undefined,
  '"Type.field", "Type.*", "*.field" or "*"',
);

/** Returns the object form of an action that was written as a plain word. */
function actionOf(word: string): string {
  if (word.toUpperCase() === 'THROTTLE') return "{ type: 'THROTTLE', maxDelayMs: ... }";
  return `{ type: '${word.toUpperCase() === 'EXEMPT' ? 'EXEMPT' : 'REJECT'}' }`;
}

/**
 * Input form of a rule, with defaults for absent members. It is the one definition for code, admin
 * API and policy files.
 */
export const ruleInput = membersOf({
  id: text(1, 100).optional(),
  name: ruleName,
  description: text(1, 1000).optional(),
  mode: oneOf(['OFF', 'SHADOW', 'ENFORCE']).default('ENFORCE'),
  rolloutPercent: number(0, 100).default(100),
  priority: wholeNumber(0, 1_000_000).default(100),
  match: membersOf({
    tiers: listOf(tierName, MAX_LIST).optional(),
    operationTypes: listOf(oneOf(['QUERY', 'MUTATION', 'SUBSCRIPTION']), 3).optional(),
    operationNames: listOf(text(1, 200), MAX_LIST).optional(),
    clients: listOf(text(1, 200), MAX_LIST).optional(),
    addresses: listOf(
      satisfying(isAddressBlock, 'an address or a CIDR block, such as 10.0.0.0/8'),
      MAX_LIST,
    ).optional(),
    callers: oneOf(CALLER_KINDS).optional(),
    credentials: nonEmptyListOf(oneOf(CREDENTIAL_KINDS), CREDENTIAL_KINDS.length).optional(),
    users: names,
    tenants: names,
    keys: names,
    agents: onlyTrue('no agents for all callers').optional(),
    document: oneOf(DOCUMENT_KINDS).optional(),
    apps: names,
    appVersions: names,
  }).default({}),
  scope: oneOf(SCOPES),
  field: fieldPattern.optional(),
  fields: nonEmptyListOf(fieldPattern, MAX_FIELDS).optional(),
  measure: oneOf(MEASURES).default('COST'),
  // An exemption has no limits.
  limits: z.array(limitInput).max(MAX_LIMITS_PER_RULE).default([]),
  action: z
    .discriminatedUnion(
      'type',
      [
        z.strictObject({ type: z.literal('REJECT') }),
        z.strictObject({ type: z.literal('THROTTLE'), maxDelayMs: wholeNumber(1, 60_000) }),
        z.strictObject({ type: z.literal('EXEMPT') }),
      ],
      { error: ({ input }) => (typeof input === 'string' ? `expected ${actionOf(input)}` : undefined) },
    )
    .default({ type: 'REJECT' }),
  onUnavailable: oneOf(['LOCAL', 'OPEN', 'CLOSED']).default('LOCAL'),
  precision: oneOf(PRECISIONS).default('EXACT'),
  regionMode: oneOf(REGION_MODES).default('CENTRAL'),
  onEventDenied: oneOf(EVENT_POLICIES).default('COMPLETE'),
  ...ruleTimesInput,
  response: membersOf({
    code: matching(/^[A-Z][A-Z0-9_]{0,63}$/, 'an upper-case code, such as SEARCH_LIMITED').optional(),
    message: text(1, 500).optional(),
    status: wholeNumber(200, 599).optional(),
  }).optional(),
})
  .refine(({ field, fields }) => field !== undefined || fields !== undefined, {
    path: ['field'],
    message: 'expected "Type.field", "Type.*", "*.field" or "*", or several of these as fields, got neither',
  })
  .refine(({ field, fields }) => field === undefined || fields === undefined, {
    path: ['fields'],
    message: 'expected either field or fields, got both: add the field to fields',
  })
  .superRefine((rule, context) => {
    const issue = (path: (string | number)[], message: string) => context.addIssue({ code: 'custom', path, message });
    if (rule.action.type === 'EXEMPT' && rule.limits.length > 0) {
      issue(['limits'], 'an exemption has no limits: remove them');
    }
    if (rule.action.type !== 'EXEMPT' && rule.limits.length === 0) issue(['limits'], 'expected at least one limit');
    const buckets = rule.limits.some(({ refillAmount }) => refillAmount !== undefined);
    if (rule.action.type === 'THROTTLE' && rule.limits.length > 0 && !buckets) {
      issue(
        ['action', 'type'],
        'expected a TOKEN_BUCKET or LEAKY_BUCKET limit, because THROTTLE delays operations until a bucket has refilled',
      );
    }
    const widest = (rule.fields ?? []).findIndex((field) => field === '*' || field === '*.*');
    if (widest >= 0 && (rule.fields ?? []).length > 1) {
      issue(['fields', widest], `${rule.fields?.[widest]} includes all other fields: use it alone, as field`);
    }
    const renewed = RENEWED[rule.measure];
    if (renewed !== undefined) checkRenewedSlots(rule.limits, { ...renewed, measure: rule.measure }, issue);
    if (rule.measure === 'CONNECTIONS') checkConnections(rule, issue);
    checkPerConnection(rule, issue);
    const seen = new Set<string>();
    rule.limits.forEach((one, index) => {
      const identity = [one.algorithm, one.every ?? one.windowMs ?? 'bucket', one.key ?? ''].join(' ');
      if (seen.has(identity)) {
        issue(
          ['limits', index, 'key'],
          'two limits with the same algorithm and window share a counter: give one of them a key',
        );
      }
      seen.add(identity);
      if (one.anchor === 'SUBJECT' && !sharesBillingAnchor(rule.scope)) {
        const message = `SUBJECT has no effect on the scope ${rule.scope}, because only users, API keys and tenants have a billing anchor: remove it`;
        issue(['limits', index, 'anchor'], message);
      }
    });
  });

/** Shortest `leaseMs` of a slot that is renewed several times before it ends. */
const LEAST_RENEWED_LEASE_MS = 3000;

/** Measures that count what is open, by the words of their messages. */
const RENEWED: Readonly<Partial<Record<Measure, { counts: string; instead: string }>>> = {
  SUBSCRIPTIONS: {
    counts: 'open subscriptions',
    instead: 'to limit how often subscriptions begin, use the measure CALLS',
  },
  CONNECTIONS: {
    counts: 'open WebSocket connections',
    instead: 'to limit how many subscriptions are open, use the measure SUBSCRIPTIONS',
  },
};

type Issue = (path: (string | number)[], message: string) => void;

function checkRenewedSlots(
  limits: readonly { algorithm: string; leaseMs?: number | undefined }[],
  { measure, counts, instead }: { measure: Measure; counts: string; instead: string },
  issue: Issue,
): void {
  limits.forEach(({ algorithm, leaseMs }, index) => {
    if (algorithm !== 'CONCURRENCY') {
      const message = `${measure} counts ${counts}: expected CONCURRENCY, got ${algorithm}; ${instead}`;
      issue(['limits', index, 'algorithm'], message);
    } else if (leaseMs !== undefined && leaseMs < LEAST_RENEWED_LEASE_MS) {
      const message = `expected at least ${LEAST_RENEWED_LEASE_MS}, because slots of ${counts} are renewed, got ${leaseMs}`;
      issue(['limits', index, 'leaseMs'], message);
    }
  });
}

/** Conditions on operations. A connection is opened before its first operation. */
const OPERATION_CONDITIONS = ['operationTypes', 'operationNames', 'document', 'apps', 'appVersions'] as const;

function checkPerConnection(
  {
    measure,
    scope,
    limits,
  }: { measure: Measure; scope: Scope; limits: readonly { perConnection?: boolean | undefined }[] },
  issue: Issue,
): void {
  limits.forEach(({ perConnection }, index) => {
    if (!perConnection) return;
    const at = ['limits', index, 'perConnection'];
    if (measure !== 'SUBSCRIPTIONS') {
      issue(at, `counts the subscriptions of a connection: expected the measure SUBSCRIPTIONS, got ${measure}`);
    }
    if (sharedByAll(scope)) issue(at, `expected a scope of one caller, such as USER, got ${scope}`);
  });
}

interface ConnectionRule {
  field?: string | undefined;
  fields?: readonly string[] | undefined;
  match: Readonly<Partial<Record<(typeof OPERATION_CONDITIONS)[number], unknown>>>;
  limits: readonly { maxWaitMs?: number | undefined }[];
}

function checkConnections({ field, fields, match, limits }: ConnectionRule, issue: Issue): void {
  if (fields !== undefined || (field !== undefined && field !== '*')) {
    const [name, found] = fields === undefined ? ['field', field] : ['fields', fields.join(', ')];
    issue([name!], `CONNECTIONS counts connections, which have no fields: expected field "*", got ${found}`);
  }
  for (const name of OPERATION_CONDITIONS) {
    if (match[name] === undefined) continue;
    issue(['match', name], 'CONNECTIONS counts connections, which open before their first operation: remove it');
  }
  limits.forEach(({ maxWaitMs }, index) => {
    if (maxWaitMs !== undefined)
      issue(['limits', index, 'maxWaitMs'], 'a connection does not wait for a slot: remove it');
  });
}

export type RuleInput = z.input<typeof ruleInput>;
