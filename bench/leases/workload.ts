import type { LimitCharge } from '../../src/limiter/charge/create-limit-compiler.js';
import type { Precision } from '../../src/model/limit-parameters.js';
import { SIX_LIMITS } from '../decision/six-limits.js';
import { type BenchSubject, subjectOf } from '../decision/workload.js';

/** Limits that each operation of a scenario is charged to, and the callers. */
export interface Workload {
  limits: LimitCharge[];
  subject(call: number): BenchSubject;
}

/** Number of callers who send most of the load. */
const HOT_CALLERS = 20;
/** Interval at which an operation comes from one of the other callers. */
const OTHERS_EVERY = 5;

/**
 * A single caller at full rate would soon empty the bucket that is large enough for 1,000 callers.
 */
const PLENTY = { capacity: 1_000_000_000, refillAmount: 1_000_000 };

export const WORKLOADS: Readonly<Record<string, (precision: Precision) => Workload>> = {
  'one caller, a bucket': (precision) => ({
    limits: [{ ...SIX_LIMITS[0], ...PLENTY, precision }],
    subject: () => subjectOf(0),
  }),
  'six limits, 20 of 1,000 callers send 80 %': (precision) => ({
    limits: SIX_LIMITS.map((limit) => ({ ...limit, ...(limit.id === 'bucket' && PLENTY), precision })),
    subject: (call) => subjectOf(call % OTHERS_EVERY === 0 ? HOT_CALLERS + call / OTHERS_EVERY : call % HOT_CALLERS),
  }),
};
