import type { FieldPrice } from '../cost/field-price.js';

/** What differs by less than this is left alone: prices are whole tokens, and traffic differs from day to day. */
const WORTH_A_CHANGE = 0.1;

/**
 * The setting by which the calls of a field would have been priced right on average. What a call costs grows with the
 * list by the price of an item, which the estimate tells: items x assumedSize + weight.
 */
export function suggestPrice(
  price: FieldPrice | null,
  estimatedPerCall: number | null,
  actualPerCall: number | null,
): { assumedSize: number | null; suggestedAssumedSize: number | null; suggestedWeight: number | null } {
  const nothing = { assumedSize: price?.assumedSize ?? null, suggestedAssumedSize: null, suggestedWeight: null };
  if (price === null || estimatedPerCall === null || actualPerCall === null) return nothing;
  if (Math.abs(actualPerCall - estimatedPerCall) <= WORTH_A_CHANGE * estimatedPerCall) return nothing;
  const { assumedSize, weight, isList } = price;
  if (!isList) return { ...nothing, suggestedWeight: round(actualPerCall) };
  if (assumedSize === null || assumedSize === 0) return nothing;
  const perItem = (estimatedPerCall - weight) / assumedSize;
  if (perItem <= 0) return nothing;
  const suggested = Math.max(0, Math.ceil((actualPerCall - weight) / perItem));
  return suggested === assumedSize ? nothing : { ...nothing, suggestedAssumedSize: suggested };
}

function round(weight: number): number {
  return Math.round(weight * 10) / 10;
}
