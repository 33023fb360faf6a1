export type { CostOverlay, SchemaProblem } from './cost/annotations.js';
export { CostError } from './cost/cost-error.js';
export type * from './cost/cost-plan.js';
export { type CostAnalyzer, type CostAnalyzerOptions, createCostAnalyzer } from './cost/create-cost-analyzer.js';
export {
  createTollgate,
  type Tollgate,
  type TollgateOptions,
} from './create-tollgate.js';
export { ERRORS, type ErrorCode } from './errors.js';
export type { IdentifiedSubject, Identify, IdentifyRequest } from './identity/types.js';
export { type AccountableLimiter, createLimiter, type LimiterOptions } from './limiter/create-limiter.js';
export type { EngineErrorClass, EngineFailure } from './limiter/engine-errors.js';
export type { EngineObserver, PoolHealth } from './limiter/remote.js';
export type * from './limiter/types.js';
export type { Logger } from './logger.js';
export { type BatchPlace, createBatch } from './plugin/batch.js';
export type { DocumentLimits } from './plugin/document-limits.js';
export type { FeeOutcome } from './plugin/fee.js';
export type { QuotaEntry } from './plugin/quota.js';
export { rateLimitResolvers, rateLimitTypeDefs } from './plugin/rate-limit-field.js';
export type { DecisionRecord } from './plugin.js';
export type { PoolOptions } from './pools/connect-pools.js';
export type { PoolPatterns } from './pools/pool-patterns.js';
export type * from './rules/types.js';
export type { RuleInput, TierInput } from './rules/validate.js';
export type { UsageKind, UsageNumbers } from './usage/create-usage-recorder.js';
export type { UsageOptions } from './usage/start-usage.js';
