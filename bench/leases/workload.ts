import type { LimitCharge } from '../../src/limiter/charge/create-limit-compiler.js';
import type { Precision } from '../../src/model/limit-parameters.js';
import { SIX_LIMITS } from '../decision/six-limits.js';
import { type BenchSubject, subjectOf } from '../decision/workload.js';

/** Callers of a scenario, and the limits that each of their operations charges. */
export interface Workload {
  limits: LimitCharge[];
  subject(call: number): BenchSubject;
}

/** Number of callers who send most of the load. */
const HOT_CALLERS = 20;
/** Every fifth operation is from one of the other callers. */
const OTHERS_EVERY = 5;

/**
 * Parameters of a bucket for a single caller at full rate. This caller would soon empty a bucket
 * that is large enough for each of 1,000 callers.
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
