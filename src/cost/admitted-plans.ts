import type { DocumentNode } from 'graphql';
import type { CostPlan } from './cost-plan.js';
import type { CostAnalyzer } from './create-cost-analyzer.js';

/** Tells documents that were let in from those that were only ever refused. */
export interface AdmittedPlans {
  add(plan: CostPlan): void;
  /**
   * A document that was refused, and of which no operation was ever let in, is not kept: it would take memory, and drive
   * out what is asked for again. One that others are let in with stays, or who may not ask for it could drive it out.
   */
  forgetRefused(document: DocumentNode, documentHash: string | undefined): void;
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
    forgetRefused(document, documentHash) {
      if (analyzer.forget(document, documentHash, isAdmitted)) forgetDocument(document);
    },
  };
}
