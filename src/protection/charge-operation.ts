import type { Decision } from '../limiter/charge/decision.js';
import type { StopSignal } from '../runtime/wait-for.js';
import type { JointPurchase } from './batch-place.js';
import { createCurrentLimits } from './create-current-limits.js';
import { findRejection } from './decide-operation.js';
import type { Operation } from './operation.js';
import type { Protection } from './protection.js';

/** Error that ends the wait of an operation that the rules in force reject. */
const REJECTED_WHILE_WAITING = new Error('the rules that are in force now reject the operation');

interface ChargeOptions {
  /** The batch of the operation; undefined if it is not part of one. */
  joint: JointPurchase | undefined;
  /** Ends a wait for slots. Undefined if the operation cannot wait. */
  waiting: AbortController | undefined;
  /** Returns the signal that is aborted when the client disconnects. */
  client(): StopSignal | undefined;
}

/**
 * Charges an operation, or its batch. Resolves to undefined if the operation waited for a slot, and
 * the wait was ended, the client disconnected, or changed rules reject the operation. Nothing was
 * charged then.
 */
export function chargeOperation<Context>(
  protection: Protection<Context>,
  operation: Operation,
  { joint, waiting, client }: ChargeOptions,
): Promise<Decision | undefined> {
  const { limiter } = protection;
  const { subject, charges, pool } = operation;
  if (waiting !== undefined) return chargeOrWait(protection, operation, { joint, waiting, client: client() });
  return joint?.charge(limiter, subject) ?? limiter.charge({ subject, limits: charges, pool: pool?.name });
}

async function chargeOrWait<Context>(
  protection: Protection<Context>,
  operation: Operation,
  options: { joint: JointPurchase | undefined; waiting: AbortController; client: StopSignal | undefined },
): Promise<Decision | undefined> {
  const { joint, waiting, client } = options;
  const { limiter } = protection;
  const { subject, charges: limits, pool } = operation;
  const { signal } = waiting;
  const onGone = () => waiting.abort();
  if (client?.aborted) onGone();
  else client?.addEventListener('abort', onGone);
  try {
    if (joint) return await joint.charge(limiter, subject, signal);
    const update = createCurrentLimits(protection, operation);
    const currentLimits = () => {
      const charges = update();
      if (charges && findRejection(protection, operation)) throw REJECTED_WHILE_WAITING;
      return charges;
    };
    return await limiter.charge({ subject, limits, pool: pool?.name, signal, currentLimits });
  } catch (error) {
    if (signal.aborted || error === REJECTED_WHILE_WAITING) return undefined;
    throw error;
  } finally {
    client?.removeEventListener('abort', onGone);
  }
}
