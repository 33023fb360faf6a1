/** A caller: one of 1,000 users in 50 tenants, each with its own address. */
export interface BenchSubject {
  user: string;
  tenant: string;
  ip: string;
}

const USERS = 1000;
const TENANTS = 50;

const SUBJECTS: readonly BenchSubject[] = Array.from({ length: USERS }, (_, index) => ({
  user: `user-${index}`,
  tenant: `tenant-${index % TENANTS}`,
  ip: `10.0.${index >> 8}.${index & 255}`,
}));

/**
 * Returns the subject of a call. The order is scattered, so that consecutive calls have different
 * tenants.
 */
export function subjectOf(call: number): BenchSubject {
  return SUBJECTS[(call * 7919) % USERS]!;
}

/** Tokens that an operation is charged in the bucket. In every window, it is charged one. */
export const COST = 12;

/** Bucket that is so large that it denies no operation. So all variants do the same work. */
export const BUCKET = { capacity: 1_000_000, refillAmount: 1000, refillPeriodMs: 1000 };

/** The windows have different lengths, so that they rarely end at the same time. */
export const WINDOWS = [
  { of: 'user', amount: 1_000_000, windowMs: 60_000 },
  { of: 'tenant', amount: 10_000_000, windowMs: 60_000 },
  { of: 'tenant', amount: 100_000_000, windowMs: 3_600_000 },
  { of: 'ip', amount: 1_000_000, windowMs: 10_000 },
  { of: 'ip', amount: 1_000_000, windowMs: 60_000 },
] as const satisfies readonly { of: keyof BenchSubject; amount: number; windowMs: number }[];
