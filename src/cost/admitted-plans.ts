import type { DocumentNode } from 'graphql';
import type { CostPlan } from './cost-plan.js';
import type { CostAnalyzer } from './create-cost-analyzer.js';

/** Record of the cost plans that were admitted at least once. */
export interface AdmittedPlans {
  add(plan: CostPlan): void;
  /**
   * Removes a document from the cache after a rejection or denial, unless one of its operations was
   * ever admitted. A document that is never admitted would only use memory and evict other
   * documents. A document that was admitted for any caller stays. Otherwise a caller whose requests
   * are denied could evict it.
   */
  forgetUnadmitted(document: DocumentNode, documentHash: string | undefined): void;
}

/** @param forgetDocument called with a document after its plans were removed from the cache */
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
