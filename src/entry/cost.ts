// Entry point `tollgate/cost`: the cost of operations, without servers, limits and Redis.

export type { CostOverlay } from '../cost/annotations/cost-overlay.js';
export type { SchemaProblem } from '../cost/annotations/schema-problem.js';
export type { GuessGroup, SizeEntry } from '../cost/check/group-guesses.js';
export type { ListGuess, ListPlace } from '../cost/check/list-guess.js';
export type * from '../cost/cost-plan.js';
export { type CostAnalyzer, createCostAnalyzer } from '../cost/create-cost-analyzer.js';
export type {
  CostManifest,
  ManifestOperation,
  MissingOperation,
  WrittenManifest,
} from '../cost/manifest/create-cost-manifest.js';
export { costTypeDefs } from '../cost/schema/cost-type-defs.js';
export type { CostAnalyzerOptions } from '../cost/settings/cost-analyzer-options.js';
export { COST_PRESETS, type CostPreset } from '../cost/settings/cost-presets.js';
export { CostError } from '../cost/values/cost-error.js';
