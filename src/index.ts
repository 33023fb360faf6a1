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
export { type AccountableLimiter, createLimiter, type LimiterOptions } from './limiter/create-limiter.js';
export type { EngineErrorClass, EngineFailure } from './limiter/outage/failure.js';
export type { EngineObserver, PoolHealth } from './limiter/outage/redis-with-fallback.js';
export type * from './limiter/types.js';
export type { IdentifiedSubject, Identify, IdentifyRequest } from './model/identify.js';
export type { Logger } from './model/logger.js';
export type * from './model/rule.js';
export { type BatchPlace, createBatch } from './plugin/batch.js';
export type { DocumentLimits } from './plugin/document-limits.js';
export type { FeeOutcome } from './plugin/fee.js';
export type { QuotaEntry } from './plugin/quota.js';
export { rateLimitResolvers, rateLimitTypeDefs } from './plugin/rate-limit-field.js';
export type { DecisionRecord } from './plugin.js';
export type { PoolOptions } from './pools/connect-pools.js';
export type { PoolPatterns } from './pools/pool-patterns.js';
export type { RuleInput, TierInput } from './rules/policy/parse-policy.js';
export type { UsageKind, UsageNumbers } from './usage/record/create-usage-recorder.js';
export type { UsageOptions } from './usage/record/start-usage.js';
