export type {
  BucketReport,
  BudgetReport,
  DenialReport,
  GraphqlAnswer,
  HttpAnswer,
  ReadBudget,
} from './budget-report.js';
export type {
  CostExtension,
  ErrorCode,
  LimitAnswer,
  LimitUnit,
  ThrottledExtensions,
  ThrottleStatus,
} from './cost-answer.js';
export { createPacedFetch, type PacedFetch, type PacedFetchOptions } from './paced-fetch.js';
export {
  type Attempt,
  createPacer,
  type PacedOperation,
  type Pacer,
  PacerError,
  type PacerEvent,
  type PacerOptions,
  type Permit,
  type PriceOf,
  type Quota,
} from './pacer.js';
export { readGithub, readShopify } from './presets.js';
export { readTollgate } from './read-tollgate.js';
