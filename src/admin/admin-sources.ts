import type { LiveTraffic } from '../observability/live/live-traffic.js';
import type { RulesStore } from '../rules/store/rules-store.js';
import type { UsageReader } from '../usage/query/usage-reader.js';
import type { QuotaOf } from './callers/caller-quota.js';
import type { ResetQuota } from './callers/reset-quota.js';
import type { ExplainOf, PreviewOf } from './platform/preview-types.js';
import type { SimulateRule } from './rules/simulation-types.js';
import type { FieldPriceOf } from './usage/present-usage.js';

/** What the admin API shows and changes: what is stored, and what the protected API makes of it. */
export interface AdminSources {
  store: RulesStore;
  usage: UsageReader;
  fieldPriceOf: FieldPriceOf;
  simulateRule: SimulateRule;
  quotaOf: QuotaOf;
  resetQuota: ResetQuota;
  previewOf: PreviewOf;
  explainOf: ExplainOf;
  /** What is wrong with the process that answers, and the number of the change that is in force there. */
  healthOf: () => { problems: readonly string[]; rulesetVersion: number | null };
  /** The traffic as it is now. @default it cannot be watched */
  watchTraffic?: LiveTraffic['watch'];
}
