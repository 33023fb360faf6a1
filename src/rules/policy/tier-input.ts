import { z } from 'zod';
import { MAX_COST, MAX_COUNT, MAX_FILL_MS, MAX_UNITS } from '../../model/limit-parameters.js';
import { ANSWERS } from '../../model/rule.js';
import { budgetInput } from './calendar-members.js';
import { flag, matching, membersOf, oneOf, text, wholeNumber, wholeNumberOrNull } from './validators.js';

export const TIER_NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$/;

export const tierName = matching(TIER_NAME, 'a name of 1 to 64 letters, digits and _ . -, not starting with . or -');

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
  capacity: wholeNumber(1, MAX_COST),
  refillAmount: wholeNumber(1, MAX_COST),
  refillPeriodMs: wholeNumber(1, MAX_COUNT).default(1000),
  /** Tokens that each caller of the tier may spend in a period of the calendar. Null for no budget. */
  budget: budgetInput.nullable().default(null),
  maxCostPerOperation: wholeNumberOrNull(1, MAX_COST).default(null),
  maxNodesPerOperation: wholeNumberOrNull(1, MAX_COST).default(null),
  maxTypeCostPerOperation: wholeNumberOrNull(1, MAX_COST).default(null),
  maxFieldCostPerOperation: wholeNumberOrNull(1, MAX_COST).default(null),
  answer: oneOf(ANSWERS).default('BRIEF'),
  isDefault: flag().default(false),
}).superRefine(checkBucketUnits);

export type TierInput = z.input<typeof tierInput>;

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
