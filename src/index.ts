export type {
  AdmittedRequest,
  AnsweredRequest,
  FinishOptions,
  Protect,
  ProtectedRequest,
  ProtectRequest,
} from './any-server/protect.js';
export type { ProtectedExecution } from './any-server/protect-execution.js';
export type { RequestHeaders } from './any-server/request-headers.js';
export type { TollgatePlugin } from './apollo/tollgate-plugin.js';
export type { DocumentLimits } from './documents/measure-document.js';
export * from './entry/cost.js';
export * from './entry/limiter.js';
export type { HttpRequest } from './identity/address.js';
export type { IdentityOptions } from './identity/identify-callers.js';
export type { JwtSettings } from './identity/json-web-token.js';
export type { DecisionRecord } from './model/decision-record.js';
export { ERRORS, type ErrorCode } from './model/errors.js';
export type { Identify, IdentifyRequest } from './model/identify.js';
export type * from './model/limit.js';
export type { Logger } from './model/logger.js';
export type * from './model/rule.js';
export type * from './model/subject.js';
export type { MetricsRegistry } from './observability/metrics-registry.js';
export { createPostgres } from './postgres/create-postgres.js';
export type { Connections, Db, PoolUse, Queryable, SqlValue, Tx, TxOptions } from './postgres/db.js';
export type { PgDbOptions } from './postgres/pg-db.js';
export type { Answer } from './protection/answer/answer-of.js';
export { QUOTA_HEADERS } from './protection/answer/quota-headers.js';
export { rateLimitResolvers, rateLimitTypeDefs } from './protection/answer/rate-limit-field.js';
export { type BatchPlace, createBatch } from './protection/batch.js';
export type { FeeOutcome } from './protection/fee.js';
export type { QuotaEntry } from './protection/quota.js';
export type { PoolPatterns } from './rules/matching/pool-finder.js';
export type { RuleInput, TierInput } from './rules/policy/parse-policy.js';
export type { PoolOptions } from './tollgate/connect-pools.js';
export { createTollgate, type Tollgate } from './tollgate/create-tollgate.js';
export type { TollgateOptions } from './tollgate/tollgate-options.js';
export type { UsageKind, UsageNumbers } from './usage/record/create-usage-recorder.js';
export type { UsageOptions } from './usage/record/start-usage.js';
