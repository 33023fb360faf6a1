import { z } from 'zod';
import { flag, matching, text, toUserErrors, wholeNumber, wholeNumberOrNull } from './store-input.js';
import type { UserError } from './store-outcome.js';

export interface Price {
  /** In the currency's smallest unit: 4900 USD is 49 dollars. */
  amountMinor: number;
  /** ISO 4217: three capital letters. */
  currency: string;
}

/** What can be said about a tier; what is left out stays as it is, or takes the default when the tier is new. */
export interface TierAttributes {
  displayName?: string | undefined;
  /** Per month; null: none is published. @default null */
  monthlyPrice?: Price | null | undefined;
  capacity?: number | undefined;
  refillAmount?: number | undefined;
  refillPeriodMs?: number | undefined;
  /** @default null */
  maxCostPerOperation?: number | null | undefined;
  /** True moves the default to this tier. @default false */
  isDefault?: boolean | undefined;
}

interface ChangeOptions {
  /** Why, for the record of changes. */
  comment?: string | null | undefined;
  /** Validate and say what would be, without changing it. @default false */
  dryRun?: boolean | undefined;
}

export interface TierUpdate extends TierAttributes, ChangeOptions {
  name: string;
  /** Refuse with `STALE_VERSION` if the tier has another version. */
  expectedVersion?: number | undefined;
}

export interface TierCreate extends TierAttributes, ChangeOptions {
  name: string;
  /** @default the name */
  displayName?: string | undefined;
  capacity: number;
  refillAmount: number;
  refillPeriodMs: number;
}

export const MAX_AMOUNT = 2 ** 31 - 1;
/** A bucket's level is counted in units of 1/period of a token, which a double must hold exactly. */
const MAX_UNITS = 2 ** 52;

export const TIER_NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$/;

const attributes = {
  displayName: text(1, 100),
  monthlyPrice: z.nullable(
    z.strictObject({
      amountMinor: wholeNumber(0, Number.MAX_SAFE_INTEGER),
      currency: matching(/^[A-Z]{3}$/, 'a currency of three capital letters'),
    }),
  ),
  capacity: wholeNumber(1, MAX_AMOUNT),
  refillAmount: wholeNumber(1, MAX_AMOUNT),
  refillPeriodMs: wholeNumber(1, MAX_UNITS),
  maxCostPerOperation: wholeNumberOrNull(1, MAX_AMOUNT),
  isDefault: flag(),
};

const rest = {
  name: matching(TIER_NAME, 'a name of 1 to 64 letters, digits and _ . -, not starting with . or -'),
  comment: text(0, 1000).nullish(),
  dryRun: flag().optional(),
};

const updateSchema = z
  .strictObject({ ...rest, expectedVersion: wholeNumber(1, MAX_AMOUNT).optional() })
  .extend(z.strictObject(attributes).partial().shape);

const createSchema = z.strictObject({
  ...attributes,
  ...rest,
  displayName: attributes.displayName.optional(),
  monthlyPrice: attributes.monthlyPrice.optional(),
  maxCostPerOperation: attributes.maxCostPerOperation.optional(),
  isDefault: attributes.isDefault.optional(),
});

/** Everything that is wrong with the input by itself; empty when it can be tried. */
export function checkTierUpdate(input: TierUpdate): UserError[] {
  return check(updateSchema, input);
}

/** Everything that is wrong with the input by itself; empty when it can be tried. */
export function checkTierCreate(input: TierCreate): UserError[] {
  const errors = check(createSchema, input);
  return errors.length > 0 ? errors : checkExact(input);
}

/** Whether the limiter can count the bucket exactly. */
export function checkExact(bucket: { capacity: number; refillPeriodMs: number }): UserError[] {
  if (bucket.capacity * bucket.refillPeriodMs <= MAX_UNITS) return [];
  const largest = Math.floor(MAX_UNITS / bucket.capacity);
  const message = `expected at most ${largest} with a capacity of ${bucket.capacity} (their product may be 2^52), got ${bucket.refillPeriodMs}`;
  return [{ code: 'INVALID', field: ['refillPeriodMs'], message }];
}

function check(schema: z.ZodType, input: unknown): UserError[] {
  const { error } = schema.safeParse(input);
  return error ? toUserErrors(error) : [];
}
