import type { TierInput } from './tier-input.js';

/** Tiers that apply if no tiers are configured. */
export const DEFAULT_TIERS: readonly TierInput[] = [
  { name: 'default', capacity: 1000, refillAmount: 50, refillPeriodMs: 1000, isDefault: true },
];
