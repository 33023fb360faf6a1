// The door `tollgate/limiter`: limits charged together or not at all, without GraphQL.
export { type AccountableLimiter, createLimiter, type LimiterOptions } from '../limiter/create-limiter.js';
export type { EngineErrorClass, EngineFailure } from '../limiter/outage/failure.js';
export type { EngineObserver, PoolHealth } from '../limiter/outage/redis-with-fallback.js';
export type * from '../limiter/types.js';
