/** First number of every advisory lock of Tollgate: the letters TOLL. */
const TOLL = 1_414_483_020;

/**
 * Arguments of the `pg_advisory_xact_lock` functions. Each purpose has a different number, because
 * two purposes with the same number would block each other. Functions in `migrations/` use the
 * numbers 2 (changes) and 3 (clean-up of usage).
 */
export const ADVISORY_LOCKS = {
  /** Migrations. */
  migrate: `${TOLL}, 1`,
  /** Transactions that write tiers or rules. */
  policy: `${TOLL}, 4`,
  /** Batches of usage. The lock is shared, or exclusive for a batch of several statements. */
  usageBatch: `${TOLL}, 5`,
} as const;
