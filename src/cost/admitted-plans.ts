import type { DocumentNode } from 'graphql';
import type { CostPlan } from './cost-plan.js';
import type { CostAnalyzer } from './create-cost-analyzer.js';

/**
 * Record of admitted plans. It separates documents that were admitted at least once from those that
 * were always rejected or denied.
 */
export interface AdmittedPlans {
  add(plan: CostPlan): void;
  /**
   * Removes a document from the cache after a rejection or denial, unless one of its operations was
   * ever admitted. Such a document would use memory and evict documents in use. A document that
   * others are admitted with stays, because otherwise a caller without permission could evict it.
   */
  forgetUnadmitted(document: DocumentNode, documentHash: string | undefined): void;
}

export function createAdmittedPlans(
  analyzer: CostAnalyzer,
  forgetDocument: (document: DocumentNode) => void,
): AdmittedPlans {
  const admitted = new WeakSet<CostPlan>();
  const isAdmitted = (plan: CostPlan) => admitted.has(plan);

  return {
    add(plan) {
      if (!admitted.has(plan)) admitted.add(plan);
    },
    forgetUnadmitted(document, documentHash) {
      if (analyzer.forget(document, documentHash, isAdmitted)) forgetDocument(document);
    },
  };
}
