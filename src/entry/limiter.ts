// Entry point `tollgate/limiter`: the limiter without GraphQL. It charges all limits of a request,
// or none.
export type { LimitCharge } from '../limiter/charge/create-limit-compiler.js';
export type {
  Admission,
  Decision,
  Denial,
  DenialCode,
  PeekedDecision,
  PeekedStates,
  Receipt,
} from '../limiter/charge/decision.js';
export {
  type ChargeRequest,
  createLimiter,
  type Limiter,
  type MonitoredLimiter,
  type PeekRequest,
} from '../limiter/create-limiter.js';
export type { EngineObserver, PoolHealth } from '../limiter/fallback/engine-observer.js';
export type { LimiterOptions } from '../limiter/limiter-options.js';
export type { EngineErrorClass, EngineFailure } from '../limiter/redis/engine-failure.js';
export type {
  Algorithm,
  CalendarAnchor,
  CalendarPeriod,
  CarryOver,
  LimitParameters,
  LimitState,
  OnUnavailable,
} from '../model/limit-parameters.js';
export type { RedisClient } from '../model/redis-client.js';
export type { ChargeSubject, Scope } from '../model/subject.js';
