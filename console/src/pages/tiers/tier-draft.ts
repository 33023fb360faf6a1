import type { AnswerDetail, TierCreateInput, TierFactsFragment, TierUpdateInput } from '../../generated/graphql.js';
import { changedMembers } from '../../parts/form/draft-onto.js';
import { membersGiven } from '../../parts/form/members-given.js';
import type { CalendarDraft } from '../../parts/text/calendar-words.js';
import { currencyDigits, major } from './price-text.js';

/** A tier in a form. Numbers are strings as typed, and empty if absent. */
export interface TierDraft {
  name: string;
  displayName: string;
  price: string;
  currency: string;
  /** Whether the tier has no bucket. The next three members have no effect then. */
  isUnlimited: boolean;
  capacity: string;
  refillAmount: string;
  refillSeconds: string;
  /** Null for a tier without a budget. */
  budget: CalendarDraft | null;
  maxCostPerOperation: string;
  maxNodesPerOperation: string;
  maxTypeCostPerOperation: string;
  maxFieldCostPerOperation: string;
  answer: AnswerDetail;
  isDefault: boolean;
}

export const CEILINGS = [
  'maxCostPerOperation',
  'maxNodesPerOperation',
  'maxTypeCostPerOperation',
  'maxFieldCostPerOperation',
] as const;

/** Initial draft of a new tier. */
export const NEW_TIER: TierDraft = {
  name: '',
  displayName: '',
  price: '',
  currency: 'USD',
  isUnlimited: false,
  capacity: '1000',
  refillAmount: '100',
  refillSeconds: '60',
  budget: null,
  maxCostPerOperation: '',
  maxNodesPerOperation: '',
  maxTypeCostPerOperation: '',
  maxFieldCostPerOperation: '',
  answer: 'BRIEF',
  isDefault: false,
};

/** Initial budget of a tier that gets one. */
export const NEW_BUDGET: CalendarDraft = { amount: 1_000_000, every: 'MONTH' };

export function draftOfTier(tier: TierFactsFragment): TierDraft {
  const { name, displayName, monthlyPrice, capacity, refillAmount, refillPeriodMs, answer, isDefault } = tier;
  const ceilings = Object.fromEntries(CEILINGS.map((ceiling) => [ceiling, `${tier[ceiling] ?? ''}`]));
  return {
    ...(ceilings as Pick<TierDraft, (typeof CEILINGS)[number]>),
    name,
    displayName,
    price: monthlyPrice ? `${major(monthlyPrice)}` : '',
    currency: monthlyPrice?.currency ?? 'USD',
    isUnlimited: capacity == null,
    capacity: `${capacity ?? NEW_TIER.capacity}`,
    refillAmount: `${refillAmount ?? NEW_TIER.refillAmount}`,
    refillSeconds: refillPeriodMs == null ? NEW_TIER.refillSeconds : `${refillPeriodMs / 1000}`,
    budget: tier.budget ? membersGiven(tier.budget) : null,
    answer,
    isDefault,
  };
}

type Values = Omit<TierCreateInput, 'name' | 'comment' | 'dryRun' | 'idempotencyKey'>;

/** Converts the whole draft to the input for a new tier. */
export function tierOfDraft(draft: TierDraft): TierCreateInput {
  const { displayName, ...values } = valuesOf(draft);
  return { name: draft.name.trim(), ...(displayName && { displayName }), ...values };
}

/**
 * Returns the members of the draft that differ from the tier on which it is based. An update with
 * only these members keeps the changes that other people have made to other members.
 */
export function changesOf(draft: TierDraft, first: TierDraft): Partial<Values> {
  return changedMembers(valuesOf(draft), valuesOf(first));
}

export function updateOfDraft(draft: TierDraft, first: TierDraft, expectedVersion: number): TierUpdateInput {
  return { name: first.name, expectedVersion, ...changesOf(draft, first) };
}

function valuesOf(draft: TierDraft): Values {
  const ceilings = Object.fromEntries(CEILINGS.map((name) => [name, numberOrNull(draft[name])]));
  const currency = draft.currency.trim().toUpperCase();
  const price = numberOrNull(draft.price);
  return {
    displayName: draft.displayName.trim(),
    monthlyPrice: price === null ? null : { amountMinor: Math.round(price * 10 ** currencyDigits(currency)), currency },
    ...(draft.isUnlimited
      ? { capacity: null, refillAmount: null, refillPeriodMs: null }
      : {
          capacity: Number(draft.capacity),
          refillAmount: Number(draft.refillAmount),
          refillPeriodMs: Math.round(Number(draft.refillSeconds) * 1000),
        }),
    budget: draft.budget && membersGiven(draft.budget),
    ...(ceilings as Pick<Values, (typeof CEILINGS)[number]>),
    answer: draft.answer,
    isDefault: draft.isDefault,
  };
}

function numberOrNull(text: string): number | null {
  return text.trim() === '' ? null : Number(text);
}
