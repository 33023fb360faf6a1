import type { LimitCharge } from '../../../src/limiter/charge/create-limit-compiler.js';

export const bucket = (more: Partial<LimitCharge> = {}): LimitCharge => ({
  id: 'bucket',
  scope: 'USER',
  algorithm: 'TOKEN_BUCKET',
  capacity: 10,
  refillAmount: 1,
  refillPeriodMs: 1000,
  cost: 10,
  ...more,
});

export const perDay = (more: Partial<LimitCharge> = {}): LimitCharge => ({
  id: 'day',
  scope: 'USER',
  algorithm: 'FIXED_WINDOW',
  amount: 1,
  windowMs: 86_400_000,
  cost: 1,
  ...more,
});
