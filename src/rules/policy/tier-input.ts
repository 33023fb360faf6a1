import { z } from 'zod';
import { flag, matching, text, wholeNumber, wholeNumberOrNull } from './validators.js';

/** The largest cost, capacity or amount. */
export const MAX_AMOUNT = 2 ** 31 - 1;
/** Refill periods, windows and leases in milliseconds: what a counter has room for, about 34 years. */
export const MAX_PERIOD_MS = 2 ** 40 - 1;
/** A bucket's level is counted in units of 1/period of a token, which a double must hold exactly. */
export const MAX_UNITS = 2 ** 52;

export const TIER_NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$/;

export const tierName = matching(TIER_NAME, 'a name of 1 to 64 letters, digits and _ . -, not starting with . or -');

/** A tier as it is written: what is left out has a default. The one definition for code, admin API and policy files. */
export const tierInput = z
  .strictObject({
    name: tierName,
    /** @default the name */
    displayName: text(1, 100).optional(),
    /** Per month, in the currency's smallest unit; null: none is published. */
    monthlyPrice: z
      .strictObject({
        amountMinor: wholeNumber(0, Number.MAX_SAFE_INTEGER),
        currency: matching(/^[A-Z]{3}$/, 'a currency of three capital letters'),
      })
      .nullable()
      .default(null),
    capacity: wholeNumber(1, MAX_AMOUNT),
    refillAmount: wholeNumber(1, MAX_AMOUNT),
    refillPeriodMs: wholeNumber(1, MAX_PERIOD_MS).default(1000),
    maxCostPerOperation: wholeNumberOrNull(1, MAX_AMOUNT).default(null),
    isDefault: flag().default(false),
  })
  .superRefine(checkBucketUnits);

export type TierInput = z.input<typeof tierInput>;

/** A bucket given to one user or tenant in place of the tier's. */
export const bucketInput = z
  .strictObject({
    capacity: wholeNumber(1, MAX_AMOUNT),
    refillAmount: wholeNumber(1, MAX_AMOUNT),
    refillPeriodMs: wholeNumber(1, MAX_PERIOD_MS),
  })
  .superRefine(checkBucketUnits);

/** Whether the limiter can count the bucket exactly. */
export function checkBucketUnits(
  { capacity, refillPeriodMs }: { capacity?: number | undefined; refillPeriodMs?: number | undefined },
  context: z.RefinementCtx,
): void {
  if (capacity === undefined || refillPeriodMs === undefined || capacity * refillPeriodMs <= MAX_UNITS) return;
  const largest = Math.floor(MAX_UNITS / capacity);
  context.addIssue({
    code: 'custom',
    path: ['refillPeriodMs'],
    message: `expected at most ${largest} with a capacity of ${capacity} (their product may be 2^52), got ${refillPeriodMs}`,
  });
}
