import { z } from 'zod';
import { MAX_COST, MAX_COUNT, MAX_FILL_MS, MAX_UNITS } from '../../model/limit-parameters.js';
import { ANSWERS } from '../../model/rule.js';
import { budgetInput } from './calendar-members.js';
import { flag, matching, membersOf, oneOf, text, wholeNumber, wholeNumberOrNull } from './validators.js';

export const TIER_NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$/;

export const tierName = matching(TIER_NAME, 'a name of 1 to 64 letters, digits and _ . -, not starting with . or -');

/** Messages for a tier that has a capacity, but lacks a member of its refill. */
export const NEEDED_REFILL = { refillAmount: needed(MAX_COST), refillPeriodMs: needed(MAX_COUNT) } as const;

/** Default of `refillPeriodMs`. */
const DEFAULT_PERIOD_MS = 1000;

/**
 * Input form of a tier, with defaults for absent members. It is the one definition for code, admin
 * API and policy files.
 */
export const tierInput = membersOf({
  name: tierName,
  /** Name for display. @default the name */
  displayName: text(1, 100).optional(),
  /** Price per month, in the smallest unit of the currency. Null if none is published. */
  monthlyPrice: membersOf({
    amountMinor: wholeNumber(0, Number.MAX_SAFE_INTEGER),
    currency: matching(/^[A-Z]{3}$/, 'a currency of three capital letters'),
  })
    .nullable()
    .default(null),
  /** Null for a tier without a bucket. */
  capacity: wholeNumberOrNull(1, MAX_COST),
  refillAmount: wholeNumberOrNull(1, MAX_COST).optional(),
  refillPeriodMs: wholeNumberOrNull(1, MAX_COUNT).default(DEFAULT_PERIOD_MS),
  /** Tokens that each caller of the tier may spend in a period of the calendar. Null for no budget. */
  budget: budgetInput.nullable().default(null),
  maxCostPerOperation: wholeNumberOrNull(1, MAX_COST).default(null),
  maxNodesPerOperation: wholeNumberOrNull(1, MAX_COST).default(null),
  maxTypeCostPerOperation: wholeNumberOrNull(1, MAX_COST).default(null),
  maxFieldCostPerOperation: wholeNumberOrNull(1, MAX_COST).default(null),
  answer: oneOf(ANSWERS).default('BRIEF'),
  isDefault: flag().default(false),
})
  // `when` runs this check even if other members are invalid, so that one answer lists all mistakes.
  .refine((tier) => !needs(tier, 'refillAmount'), {
    path: ['refillAmount'],
    error: NEEDED_REFILL.refillAmount,
    when: isObject,
  })
  .refine((tier) => !needs(tier, 'refillPeriodMs'), { path: ['refillPeriodMs'], error: NEEDED_REFILL.refillPeriodMs })
  .superRefine((tier, context) => {
    const { capacity, refillAmount, refillPeriodMs } = tier;
    if (capacity !== null) {
      checkBucketUnits({ capacity, refillAmount: refillAmount ?? 0, refillPeriodMs: refillPeriodMs ?? 0 }, context);
      return;
    }
    const remove = (path: string) =>
      context.addIssue({ code: 'custom', path: [path], message: 'has no effect without a capacity: remove it' });
    if ((refillAmount ?? null) !== null) remove('refillAmount');
    if (refillPeriodMs !== null && refillPeriodMs !== DEFAULT_PERIOD_MS) remove('refillPeriodMs');
  });

export type TierInput = z.input<typeof tierInput>;

/** Returns the attributes of a valid tier. A tier without a bucket has no refill. */
export function tierAttributes({ displayName, ...tier }: z.output<typeof tierInput>) {
  const { capacity, refillAmount = null, refillPeriodMs } = tier;
  const refill = capacity === null ? { refillAmount: null, refillPeriodMs: null } : { refillAmount, refillPeriodMs };
  return { ...tier, ...refill, displayName: displayName ?? tier.name };
}

type Refill = 'refillAmount' | 'refillPeriodMs';

/** Returns whether a tier with a bucket lacks a member of its refill. */
function needs(tier: { capacity: unknown } & { [Name in Refill]?: unknown }, name: Refill): boolean {
  return tier.capacity !== null && tier.capacity !== undefined && (tier[name] ?? null) === null;
}

function needed(max: number): string {
  return `expected a whole number from 1 to ${max}, because the tier has a capacity`;
}

function isObject({ value }: { value: unknown }): boolean {
  return typeof value === 'object' && value !== null;
}

/** Input form of a bucket that replaces the tier's for one user or tenant. */
export const bucketInput = membersOf({
  capacity: wholeNumber(1, MAX_COST),
  refillAmount: wholeNumber(1, MAX_COST),
  refillPeriodMs: wholeNumber(1, MAX_COUNT),
}).superRefine(checkBucketUnits);

interface PartialBucket {
  capacity?: number | undefined;
  refillAmount?: number | undefined;
  refillPeriodMs?: number | undefined;
  maxDebt?: number | undefined;
}

/**
 * Checks that the limiter can count the bucket exactly, and that the bucket fills up within
 * `MAX_FILL_MS`.
 */
export function checkBucketUnits(bucket: PartialBucket, context: z.RefinementCtx): void {
  const { capacity = 0, refillAmount = 0, refillPeriodMs = 0, maxDebt = 0 } = bucket;
  const issue = (name: keyof PartialBucket, message: string) =>
    context.addIssue({ code: 'custom', path: [name], message: `${message}, got ${bucket[name]}` });
  if (capacity * refillPeriodMs > MAX_UNITS) {
    const largest = Math.floor(MAX_UNITS / capacity);
    issue('refillPeriodMs', `expected at most ${largest} with a capacity of ${capacity} (product at most 2^52)`);
  } else if (refillAmount > 0 && capacity * refillPeriodMs > MAX_FILL_MS * refillAmount) {
    const largest = Math.floor((MAX_FILL_MS * refillAmount) / capacity);
    issue('refillPeriodMs', `expected at most ${largest}, so that the bucket fills up within 34 years (2^40 ms)`);
  }
  if (maxDebt * refillPeriodMs > MAX_UNITS) {
    issue('maxDebt', `expected at most ${Math.floor(MAX_UNITS / refillPeriodMs)} with this period`);
  } else if (refillAmount > 0 && maxDebt * refillPeriodMs > MAX_FILL_MS * refillAmount) {
    const largest = Math.floor((MAX_FILL_MS * refillAmount) / refillPeriodMs);
    issue('maxDebt', `expected at most ${largest}, so that the debt is paid within 34 years (2^40 ms)`);
  }
}
