import type { AdmittedPlans } from '../cost/admitted-plans.js';
import type { CostAnalyzer } from '../cost/create-cost-analyzer.js';
import type { DocumentCheck } from '../documents/check-document.js';
import type { ProtectionLimiter } from '../limiter/create-limiter.js';
import type { Observers } from '../model/decision-record.js';
import type { Identify } from '../model/identify.js';
import type { Subject } from '../model/subject.js';
import type { Ruleset } from '../rules/matching/ruleset.js';
import type { BatchPlace } from './batch.js';
import type { ChargeBinder } from './bind-charges.js';
import type { ChargeFee } from './fee.js';

/** What all requests of a plugin share. */
export interface Protection<Context> {
  analyzer: CostAnalyzer;
  limiter: ProtectionLimiter;
  binder: ChargeBinder;
  documents: DocumentCheck;
  admittedPlans: AdmittedPlans;
  chargeFee: ChargeFee;
  ruleset(): Ruleset;
  identify: Identify<Context>;
  mode: 'ENFORCE' | 'SHADOW';
  denialStatus: 429 | 200;
  minimumCost: number;
  mayReportCost(subject: Subject): boolean;
  abortSignal(contextValue: Context): AbortSignal | undefined;
  batchPlace(contextValue: Context): BatchPlace | undefined;
  operations: Observers;
  onError(error: unknown): void;
  onTooManyLimits(count: number): void;
  now(): number;
}
