import type { LimitCharge } from '../limiter/charge/create-limit-compiler.js';
import { rootOf } from '../model/subject.js';
import type { Operation } from './operation.js';
import type { Protection } from './protection.js';
import { requestedAmounts } from './requested-amounts.js';
import { isTooLarge } from './too-many-limits-error.js';

/**
 * Creates a function that binds an operation to the current rules, because rules may change while
 * the operation waits for a slot. The function returns the new charges. Returns undefined if the
 * rules have not changed since its last call.
 */
export function createCurrentLimits<Context>(
  protection: Protection<Context>,
  operation: Operation,
): () => readonly LimitCharge[] | undefined {
  let known = protection.ruleset();
  return () => {
    const ruleset = protection.ruleset();
    if (ruleset === known) return undefined;
    known = ruleset;
    const {
      subject,
      client,
      isAgentClient,
      registered: document,
      costPlan,
      plan,
      requestedCost,
      operationType: type,
      operationName: name,
      pool,
      connection,
    } = operation;
    const tier = ruleset.tier(subject.tier);
    const facts = { subject, root: rootOf(subject), client, isAgentClient, document, connection };
    const found = protection.binder.bind(costPlan, plan, requestedCost, ruleset, tier, { type, name }, facts);
    // The charges of an operation stay in one pool.
    const bound = { ...found, pool };
    // One charge cannot include all new limits, so the operation keeps its previous limits.
    if (isTooLarge(bound)) return undefined;
    const { limits, charges, unknownRule } = bound;
    const requested = requestedAmounts(tier, plan.estimate());
    Object.assign(operation, { tier, bound, limits, charges, requested, unknownRule });
    return charges;
  };
}
