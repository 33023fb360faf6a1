import type { LimitCharge } from '../limiter/charge/create-limit-compiler.js';
import { rootOf } from '../model/subject.js';
import { isTooLarge } from './charge-binder.js';
import type { Operation } from './operation.js';
import type { Protection } from './protection.js';

/**
 * Creates a function that binds an operation to the rules in force again, because rules may change
 * while it waits for a slot. The function returns the new charges, and undefined if the rules are
 * the same.
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
      costPlan,
      plan,
      requestedCost,
      operationType: type,
      operationName: name,
    } = operation;
    const tier = ruleset.tier(subject.tier);
    const facts = { subject, root: rootOf(subject), client, isAgentClient };
    const bound = protection.binder.bind(costPlan, plan, requestedCost, ruleset, tier, { type, name }, facts);
    // One charge cannot include all of them. The operation keeps the limits with which it arrived.
    if (isTooLarge(bound)) return undefined;
    const { limits, charges } = bound;
    Object.assign(operation, { tier, bound, limits, charges });
    return charges;
  };
}
