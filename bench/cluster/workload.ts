import type { LimitCharge } from '../../src/limiter/charge/create-limit-compiler.js';
import { SIX_LIMITS } from '../decision/six-limits.js';

const [bucket] = SIX_LIMITS;

/** Window whose amount is so large that it denies no operation. */
const window = { algorithm: 'SLIDING_WINDOW_COUNTER', amount: 1_000_000_000, windowMs: 60_000, cost: 1 } as const;

/** Limits of one decision, by scenario. */
export const LIMITS = {
  'one USER limit': [bucket],
  'six limits': SIX_LIMITS,
  'USER + IP + GLOBAL': [bucket, { id: 'address', scope: 'IP', ...window }, { id: 'all', scope: 'GLOBAL', ...window }],
} as const satisfies Readonly<Record<string, readonly LimitCharge[]>>;

export interface ClusterScenario {
  limits: keyof typeof LIMITS;
  inFlight: number;
}

export const SCENARIOS: readonly ClusterScenario[] = [
  { limits: 'one USER limit', inFlight: 64 },
  { limits: 'six limits', inFlight: 64 },
  { limits: 'USER + IP + GLOBAL', inFlight: 1 },
  { limits: 'USER + IP + GLOBAL', inFlight: 64 },
  { limits: 'USER + IP + GLOBAL', inFlight: 512 },
];
