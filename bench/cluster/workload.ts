import type { LimitCharge } from '../../src/limiter/compile-limit.js';
import { BUCKET, COST, WINDOWS } from '../decision/workload.js';

const SCOPES = { user: 'USER', tenant: 'TENANT', ip: 'IP' } as const;

const bucket: LimitCharge = { id: 'bucket', scope: 'USER', algorithm: 'TOKEN_BUCKET', ...BUCKET, cost: COST };

/** So large that nothing is ever denied. */
const window = { algorithm: 'SLIDING_WINDOW_COUNTER', amount: 1_000_000_000, windowMs: 60_000, cost: 1 } as const;

/** What one decision is asked for. */
export const LIMITS = {
  'one USER limit': [bucket],
  'six limits': [
    bucket,
    ...WINDOWS.map(({ of, amount, windowMs }, index) => ({
      id: `window-${index}`,
      scope: SCOPES[of],
      algorithm: 'SLIDING_WINDOW_COUNTER' as const,
      amount,
      windowMs,
      cost: 1,
    })),
  ],
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
