import type { LimitCharge } from '../limiter/charge/create-limit-compiler.js';
import { rootOf } from '../model/subject.js';
import { findRejection } from './decide-operation.js';
import type { Operation } from './operation.js';
import type { Protection } from './protection.js';
import { requestedAmounts } from './requested-amounts.js';

/** Error that ends the wait of an operation that the current rules reject. */
export const REJECTED_WHILE_WAITING = new Error('the rules that are in force now reject the operation');

/**
 * Creates a function that binds an operation to the current rules, because rules may change while
 * the operation waits for a slot. The function returns the new charges. Returns undefined if the
 * rules have not changed since its last call.
 * @throws REJECTED_WHILE_WAITING if the operation can never be admitted under the current rules
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
    } = operation;
    const tier = ruleset.tier(subject.tier);
    const facts = { subject, root: rootOf(subject), client, isAgentClient, document };
    const found = protection.binder.bind(costPlan, plan, requestedCost, ruleset, tier, { type, name }, facts);
    // It waits in a queue of its pool.
    const bound = { ...found, pool };
    const { limits, charges, unknownRule } = bound;
    const requested = requestedAmounts(tier, plan.estimate());
    Object.assign(operation, { tier, bound, limits, charges, requested, unknownRule });
    if (findRejection(protection, operation)) throw REJECTED_WHILE_WAITING;
    return charges;
  };
}
