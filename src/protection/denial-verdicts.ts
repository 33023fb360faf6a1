/** Verdicts in usage records, decision records and previews, by the code of the limiter's denial. */
export const DENIAL_VERDICTS = {
  THROTTLED: 'THROTTLED',
  COST_EXCEEDS_CAPACITY: 'MAX_COST_EXCEEDED',
  UNAVAILABLE: 'UNAVAILABLE',
  UNDECIDED: 'UNAVAILABLE',
} as const;
